import { Download, FileArchive } from 'lucide-react'
import { useState } from 'react'
import { lazy_api } from '#api/lazy-api.ts'
import type { DataExport } from '#privacy/privacy.contract.ts'
import { Problem } from '#problems.ts'
import { PasswordDialog } from '#auth/PasswordDialog.tsx'
import { useActKey } from '#ui/act-key.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Status } from '#ui/Badge.tsx'
import { Progress } from '#ui/Bar.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { useDownload } from '#ui/DownloadButton.tsx'
import { sizeOf } from '#ui/FileDrop.tsx'
import { save } from '#ui/save.ts'
import { Skeleton } from '#ui/Skeleton.tsx'

/** All there is about oneself, as a file that is made in the background. */
export function MyDataCard() {
  const found = useRead(lazy_api.privacy.exports, {})
  const exports = found?.exports
  const ask = useWrite(lazy_api.privacy.request_export, 'Your export is being prepared')
  // A key for retries: when a lost answer is asked for again the export may be ready, and a second one would begin.
  const key = useActKey()
  const [confirming, setConfirming] = useState(false)
  return (
    <Card
      title="Export of my data"
      description="A ZIP of everything we hold about you: one JSON file, a CSV per list and your receipts."
      flush
      actions={
        <Button size="small" unless={found?.refusals.request} onClick={() => setConfirming(true)}>
          Export my data
        </Button>
      }
    >
      <ul aria-busy={!exports} className="divide-y divide-line">
        {exports?.map((one) => <ExportLine key={one.id} one={one} />) ?? (
          <li className="p-5">
            <Skeleton className="h-10 w-full" />
          </li>
        )}
        {exports?.length === 0 && (
          <li className="px-5 py-4 text-sm text-soft">
            Nothing exported yet. It takes a minute or so; we’ll notify you when it is ready, and
            you can leave this page meanwhile.
          </li>
        )}
      </ul>
      <PasswordDialog
        {...proof}
        open={confirming}
        onClose={() => setConfirming(false)}
        title="Export your data?"
        does="Export"
        waiting="Exporting..."
        act={async () => {
          await ask.submit({}, { idempotency_key: key.of({}) })
          key.done()
        }}
      />
    </Card>
  )
}

/** The newest one that is ready, to be fetched where one was told of it. */
export function DataDialog({ onClose }: { onClose: () => void }) {
  const exports = useRead(lazy_api.privacy.exports, {})?.exports
  const ready = exports?.find(({ status }) => status === 'ready')
  return (
    <Dialog
      open
      onClose={onClose}
      title="Your data"
      description="A ZIP of everything we hold about you: one JSON file, a CSV per list and your receipts."
      moot={
        exports && !ready
          ? 'It can no longer be downloaded. Export it again in Settings.'
          : undefined
      }
    >
      {ready ? (
        <ul className="-mx-5">
          <ExportLine one={ready} />
        </ul>
      ) : (
        <Skeleton className="h-10 w-full" />
      )}
    </Dialog>
  )
}

const proof = {
  name: 'my-data',
  description: 'It holds everything about you, so confirm that it is you.',
}

function ExportLine({ one }: { one: DataExport }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-3.5 text-sm">
      <FileArchive className="size-5 shrink-0 text-faint" aria-hidden />
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          Requested <DateText value={one.requested_at} show="moment" />
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
        <Progress percent={one.percent} label="Preparing your export" />
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

/** Downloads at once within minutes of the password; later it is asked for first. */
function Fetch({ one: { id } }: { one: DataExport }) {
  const { busy, download } = useDownload()
  const [confirming, setConfirming] = useState(false)
  const fetchFile = async () => save(await lazy_api.privacy.download_export({ id }))
  const fetchOrAsk = () =>
    fetchFile().catch((error: unknown) => {
      if (!(error instanceof Problem && error.code === 'password_needed')) throw error
      setConfirming(true)
    })
  return (
    <>
      <Button
        size="small"
        icon={Download}
        faint
        loading={busy}
        onClick={() => download(fetchOrAsk)}
      >
        Download
      </Button>
      <PasswordDialog
        {...proof}
        open={confirming}
        onClose={() => setConfirming(false)}
        title="Download your data?"
        does="Download"
        waiting="Downloading..."
        act={fetchFile}
      />
    </>
  )
}

function Retry({ one: { id } }: { one: DataExport }) {
  const retry = useWrite(lazy_api.privacy.retry_export)
  return (
    <Button size="small" loading={retry.pending} onClick={() => retry({ id })}>
      Retry
    </Button>
  )
}
