import { Download, FileBarChart, RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Badge } from '#ui/Badge.tsx'
import { Progress } from '#ui/Bar.tsx'
import { Button, IconButton } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { DateText } from '#ui/DateText.tsx'
import { useDownload } from '#ui/DownloadButton.tsx'
import { Empty, NoMatch } from '#ui/Empty.tsx'
import { FilterMenu } from '#ui/FilterMenu.tsx'
import { Menu, MenuItem } from '#ui/Menu.tsx'
import { Pager } from '#ui/Pager.tsx'
import { save } from '#ui/save.ts'
import { Table } from '#ui/Table.tsx'
import { toast } from '#ui/toast.ts'
import { usePageKey, useUrlState } from '#ui/url-state.ts'
import { periodName } from './kinds.ts'
import { ReportType, type Report, type ReportFormat } from './reports.contract.ts'

const types = Object.fromEntries(ReportType.options.map((type) => [type, type]))

export function ReportList() {
  const [type] = useUrlState('type')
  const { after } = usePageKey()
  const found = useRead(
    lazy_api.reports.list,
    { type: ReportType.safeParse(type).data, after, limit: 10 },
    { keep: true },
  )
  return (
    <Card
      flush
      title="Generated reports"
      actions={<FilterMenu label="Type" name="type" options={types} />}
    >
      <Table
        label="Generated reports"
        rows={found?.reports}
        empty={
          type ? (
            <NoMatch title="No matching reports" filters={['type']} />
          ) : (
            <Empty icon={<FileBarChart aria-hidden />} title="No reports yet">
              Choose one of the four above. It is made in the background, and stays here until you
              delete it.
            </Empty>
          )
        }
        columns={{
          Report: (report) => (
            <span className="block max-w-md min-w-0">
              <span className="block">{report.title}</span>
              <span className="block text-ui font-normal text-soft">
                {report.description}
                {report.is_scheduled && ' Sent monthly.'}
              </span>
            </span>
          ),
          Type: { cell: (report) => <Badge>{report.type}</Badge> },
          Period: (report) => (
            <span className="text-ui text-soft">{periodName(report.from_on, report.to_on)}</span>
          ),
          Size: { end: true, cell: (report) => size(report.pdf_bytes) },
          Date: {
            end: true,
            cell: ({ made_at, created_at, as_of }) => (
              <>
                <DateText value={made_at ?? created_at} />
                {as_of && (
                  <span className="block text-ui text-soft">
                    as of <DateText value={as_of} show="moment" />
                  </span>
                )}
              </>
            ),
          },
          File: { end: true, cell: (report) => <File report={report} /> },
        }}
      />
      <Pager next={found?.next} />
    </Card>
  )
}

/** The act on a report: wait, try again, download. */
function File({ report }: { report: Report }) {
  const retry = useWrite(lazy_api.reports.retry, 'Generating new report...')
  const remove = useWrite(lazy_api.reports.remove, 'Report deleted')
  const [asks, setAsks] = useState(false)
  const { id, title, status, percent, fault } = report
  return (
    <div className="flex min-w-32 items-center justify-end gap-1">
      {status === 'ready' && <Take report={report} />}
      {(status === 'waiting' || status === 'making') && (
        <div className="w-28">
          <p className="mb-1 text-left text-ui text-soft">
            {status === 'waiting' ? 'Waiting…' : `${percent}%`}
          </p>
          <Progress percent={percent} label={`${title}, being made`} />
        </div>
      )}
      {status === 'failed' && (
        <div className="flex flex-col items-end gap-1.5">
          <p className="max-w-56 text-right text-ui whitespace-normal text-bad-ink">{fault}</p>
          <Button
            size="small"
            loading={retry.pending}
            icon={RotateCw}
            onClick={() => retry({ id })}
          >
            Retry
          </Button>
        </div>
      )}
      <IconButton
        size="small"
        label={`Delete ${title}`}
        icon={Trash2}
        onClick={() => setAsks(true)}
      />
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        title={`Delete ${title}?`}
        description="It is deleted for all Super Admins. You can generate it again."
        does="Delete"
        act={() => remove.submit({ id })}
      />
    </div>
  )
}

const formats: Record<ReportFormat, string> = {
  pdf: 'PDF',
  xlsx: 'Excel (XLSX)',
  csv: 'CSV',
}

function Take({ report }: { report: Report }) {
  const { busy, download } = useDownload()
  const get = async (format: ReportFormat) => {
    toast(`Downloading ${report.title}...`)
    save(await lazy_api.reports.file({ id: report.id, format }))
  }
  return (
    <Menu
      label="Download as"
      trigger={
        <Button size="small" aria-label={`Download ${report.title}`} loading={busy} icon={Download}>
          Download
        </Button>
      }
    >
      {Object.entries(formats).map(([format, name]) => (
        <MenuItem key={format} onSelect={() => download(() => get(format as ReportFormat))}>
          <span className="flex min-w-44 justify-between gap-4">
            {name}
            <span className="figures text-faint">
              {size(report[`${format as ReportFormat}_bytes`])}
            </span>
          </span>
        </MenuItem>
      ))}
    </Menu>
  )
}

function size(bytes: number | null): string {
  if (bytes === null) return '–'
  const kilobytes = bytes / 1024
  return kilobytes < 1000
    ? `${Math.max(1, Math.round(kilobytes)).toLocaleString()} KB`
    : `${(kilobytes / 1024).toLocaleString(undefined, { maximumFractionDigits: 1 })} MB`
}
