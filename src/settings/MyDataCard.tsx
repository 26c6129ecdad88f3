import { FileArchive } from 'lucide-react'
import { api } from '#api.ts'
import type { DataExport } from '#privacy/privacy.contract.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Status } from '#ui/Badge.tsx'
import { Progress } from '#ui/Bar.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { DownloadButton } from '#ui/DownloadButton.tsx'
import { sizeOf } from '#ui/FileDrop.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

/** All there is about oneself, as a file that is made in the background. */
export function MyDataCard() {
  const exports = useRead(api.privacy.exports, {})
  const ask = useWrite(api.privacy.ask_for_export, 'Your data is being put together')
  const under_way = exports?.some(({ status }) => status === 'waiting' || status === 'making')
  return (
    <Card
      title="Export of my data"
      description="A ZIP with everything there is about you: one JSON file, a CSV per list and your receipts."
      flush
      actions={
        <Button
          size="small"
          loading={ask.pending}
          unless={under_way ? 'export_under_way' : undefined}
          onClick={() => ask({})}
        >
          Export my data
        </Button>
      }
    >
      <ul aria-busy={!exports} className="divide-y divide-line">
        {exports?.map((one) => <Line key={one.id} one={one} />) ?? (
          <li className="p-5">
            <Skeleton className="h-10 w-full" />
          </li>
        )}
        {exports?.length === 0 && (
          <li className="px-5 py-4 text-sm text-soft">
            Nothing exported yet. It takes a minute or so; you are told when it is ready, and can
            leave this page meanwhile.
          </li>
        )}
      </ul>
    </Card>
  )
}

function Line({ one }: { one: DataExport }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-3.5 text-sm">
      <FileArchive className="size-5 shrink-0 text-faint" aria-hidden />
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          Asked for <DateText value={one.asked_at} show="moment" />
          {one.status === 'failed' && <Status tone="bad">Failed</Status>}
          {one.status === 'ready' && <Status tone="good">Ready</Status>}
        </p>
        <About one={one} />
      </div>
      {one.status === 'ready' && <Fetch one={one} />}
      {one.status === 'failed' && <Retry one={one} />}
    </li>
  )
}

function About({ one }: { one: DataExport }) {
  if (one.status === 'waiting' || one.status === 'making') {
    return (
      <div className="mt-2 flex max-w-sm items-center gap-3">
        <Progress percent={one.percent} label="Putting your data together" />
        <span className="figures text-ui text-soft">{one.percent}%</span>
      </div>
    )
  }
  if (one.status === 'failed') return <p className="mt-0.5 text-ui text-soft">{one.fault}</p>
  return (
    <p className="mt-0.5 text-ui text-soft">
      {sizeOf(one.size_bytes ?? 0)} · until{' '}
      {one.expires_at && <DateText value={one.expires_at} show="moment" />}
      {one.downloaded_at && (
        <>
          {' '}
          · downloaded <DateText value={one.downloaded_at} show="ago" />
        </>
      )}
    </p>
  )
}

const Fetch = ({ one: { id, made_at } }: { one: DataExport }) => (
  <DownloadButton
    size="small"
    name={`my-data-${made_at?.slice(0, 10)}.zip`}
    file={() => api.privacy.download_export({ id })}
  >
    Download
  </DownloadButton>
)

function Retry({ one: { id } }: { one: DataExport }) {
  const retry = useWrite(api.privacy.retry_export)
  return (
    <Button size="small" loading={retry.pending} onClick={() => retry({ id })}>
      Retry
    </Button>
  )
}
