import { Download, Printer } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { useKeepOpen } from '#ui/Dialog.tsx'
import { showFailure } from '#ui/failure.ts'
import { save } from '#ui/save.ts'

const grouped = (code: string) => code.match(/.{1,4}/g)?.join('-') ?? code

type Props = { codes: string[]; onDone: () => unknown }

/** Shown once: nobody, we included, can look them up again. */
export function RecoveryCodes({ codes, onDone }: Props) {
  useKeepOpen()
  useEffect(() => {
    // Leaving the page without the codes loses them, so the browser asks first.
    const ask = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  const [busy, setBusy] = useState(false)
  const done = async () => {
    setBusy(true)
    try {
      await onDone()
    } catch (error) {
      showFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const lines = codes.map(grouped)
  const text = `Healthfund recovery codes\nEach works once, in place of your second step.\n\n${lines.join('\n')}\n`
  return (
    <div className="flex flex-col gap-5">
      <p className="text-sm text-soft">
        If your phone is lost, one of these lets you in. Keep them where you would keep a key. They
        are shown only now; each works once.
      </p>
      <ul
        data-print
        aria-label="Recovery codes"
        className="grid gap-x-6 gap-y-2 rounded-card bg-sunken p-4 font-mono text-sm sm:grid-cols-2"
      >
        {lines.map((line) => (
          <li key={line} className="select-all">
            {line}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label="Copy" />
        <Button
          size="small"
          icon={Download}
          onClick={() => save(new File([text], 'healthfund-codes.txt', { type: 'text/plain' }))}
        >
          Download
        </Button>
        <Button size="small" icon={Printer} onClick={() => window.print()}>
          Print
        </Button>
      </div>
      <Button variant="primary" size="large" wide loading={busy} onClick={() => void done()}>
        I’ve saved these codes
      </Button>
    </div>
  )
}
