import { Copy, Scale, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { paths, pathTo } from '#paths.ts'
import { useWrite } from '#ui/ask.ts'
import { Button, ButtonLink } from '#ui/Button.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { money } from '#ui/figures.ts'
import { Form, FormButtons } from '#ui/Form.tsx'
import { TextAreaField } from '#ui/TextField.tsx'
import type { ClaimDetail } from './claims.contract.ts'
import { localisedProblem } from '#claims/form/localised.ts'
import { ReceiptsField } from '#claims/form/ReceiptsField.tsx'
import { againText } from './labels.ts'
import { Sentence } from './words.contract.ts'
import { idsIn } from '#claims/form/claim-form.ts'

export function MyClaimActs({ claim }: { claim: ClaimDetail }) {
  const [open, setOpen] = useState<'withdraw' | 'appeal'>()
  const close = () => setOpen(undefined)
  return (
    <div className="flex flex-col gap-2">
      {claim.refusals.appeal === null && (
        <Button variant="primary" icon={Scale} onClick={() => setOpen('appeal')}>
          {claim.status === 'approved' ? 'Appeal for the rest' : 'Appeal'}
        </Button>
      )}
      {(claim.status === 'approved' || (claim.status !== 'pending' && !claim.refusals.again)) && (
        <ButtonLink to={`${paths.my_claims}?new&from=${claim.id}`} icon={Copy}>
          Claim again
        </ButtonLink>
      )}
      {claim.refusals.withdraw === null && (
        <Button icon={Undo2} onClick={() => setOpen('withdraw')}>
          Withdraw
        </Button>
      )}
      <Withdraw claim={claim} open={open === 'withdraw'} onClose={close} />
      <Appeal claim={claim} open={open === 'appeal'} onClose={close} />
    </div>
  )
}

type AskProps = { claim: ClaimDetail; open: boolean; onClose: () => void }

function Withdraw({ claim: { id, refusals, status }, open, onClose }: AskProps) {
  const withdraw = useWrite(api.claims.withdraw, `Claim #${id} withdrawn`)
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Withdraw claim #${id}?`}
      description={`HR will no longer review it. ${againText(
        refusals,
        'Its money goes back to your fund, and you can claim again from a copy.',
      )}`}
      moot={
        refusals.withdraw === null
          ? undefined
          : status === 'withdrawn'
            ? 'It was withdrawn a moment ago.'
            : 'Your claim was decided a moment ago.'
      }
      keep="Keep it"
      does="Withdraw"
      act={() => withdraw.submit({ id })}
    />
  )
}

const Why = z.object({ text: Sentence, receipt_ids: z.string().optional().transform(idsIn) })

function Appeal({ claim: { id, refusals, status, ...claim }, open, onClose }: AskProps) {
  const appeal = useWrite(api.claims.appeal, `Your appeal for claim #${id} is with HR`)
  const navigate = useNavigate()
  const rest = money(claim.amount_cents - (claim.approved_cents ?? 0), claim.currency)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Appeal claim #${id}`}
      description={
        status === 'approved'
          ? `HR decides about the ${rest} that was not approved, as a claim of its own. ` +
            'What was approved stays approved. You can appeal once.'
          : 'HR decides again, through a different reviewer if one is available. You can appeal once.'
      }
      moot={
        refusals.appeal === null || appeal.pending
          ? undefined
          : 'This claim can no longer be appealed.'
      }
    >
      <Form
        name={`appeal:${id}`}
        shape={Why}
        defaults={{ receipt_ids: '' }}
        onSubmit={async (values) => {
          const appealed = await appeal.submit({ id, ...values }).catch((error: unknown) => {
            throw localisedProblem(error)
          })
          onClose()
          if (appealed.id !== id) void navigate(pathTo(paths.my_claim, appealed.id))
        }}
      >
        <TextAreaField
          name="text"
          label="Why should it be decided differently?"
          required
          rows={4}
        />
        <ReceiptsField
          name="receipt_ids"
          label="Documents to add, if any"
          hint="Such as a prescription."
        />
        <FormButtons waiting="Sending...">Send appeal</FormButtons>
      </Form>
    </Dialog>
  )
}
