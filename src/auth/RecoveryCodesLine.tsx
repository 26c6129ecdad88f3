import { LifeBuoy } from 'lucide-react'
import { useState } from 'react'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { factorCalls } from './factor-calls.ts'
import { PasswordDialog } from './PasswordDialog.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

const few = 3

export function RecoveryCodesLine() {
  const left = useRead(factorCalls.codesLeft, {})
  const make = useWrite(factorCalls.makeCodes)
  const [confirming, setConfirming] = useState(false)
  const [codes, setCodes] = useState<string[]>()
  return (
    <li className="flex items-center gap-4 px-5 py-3.5">
      <LifeBuoy className="size-5 shrink-0 text-faint" aria-hidden />
      <div className="min-w-0 flex-1 text-sm">
        <p className="font-medium">Recovery codes</p>
        <p className="mt-0.5 text-ui text-soft">{sayLeft(left)}</p>
      </div>
      <Button size="small" disabled={left === undefined} onClick={() => setConfirming(true)}>
        {left ? 'Make new codes' : 'Make codes'}
      </Button>
      <PasswordDialog
        name="make-recovery-codes"
        open={confirming}
        onClose={() => setConfirming(false)}
        title={left ? 'Make new recovery codes?' : 'Make recovery codes?'}
        description={
          left
            ? 'The codes you have now stop working at once.'
            : 'Each lets you in once without your second step.'
        }
        does={left ? 'Make new codes' : 'Make codes'}
        waiting="Making..."
        act={async () => setCodes(await make.submit({ replacing: Boolean(left) }))}
      />
      <Dialog
        open={codes !== undefined}
        onClose={() => setCodes(undefined)}
        title="Your recovery codes"
      >
        {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />}
      </Dialog>
    </li>
  )
}

function sayLeft(left: { total: number; remaining: number } | null | undefined): string {
  if (left === undefined) return 'For when your phone is lost'
  if (left === null) return 'None yet. Without them a lost phone locks you out.'
  const counted = `${left.remaining} of ${left.total} left`
  return left.remaining <= few ? `${counted}. Make new ones soon.` : counted
}
