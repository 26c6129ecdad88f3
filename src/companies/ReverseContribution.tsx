import { api } from '#api/api.ts'
import { ledger, type Contribution } from '#funds/ledger/ledger.contract.ts'
import { useWrite } from '#ui/ask.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { money } from '#ui/figures.ts'
import { Form, FormButtons } from '#ui/Form.tsx'
import { TextField } from '#ui/TextField.tsx'
import type { CompanyDetail } from './companies.contract.ts'

type Props = { company: CompanyDetail; contribution: Contribution; onClose: () => void }

const shape = ledger.reverse_contribution.input.pick({ reason: true })

/** Reverses a contribution recorded wrongly; the entry and its reversal both stay. */
export function ReverseContribution({ company, contribution, onClose }: Props) {
  const { id, reference, amount_cents } = contribution
  const amount = money(amount_cents, company.currency)
  const reverse = useWrite(api.funds.reverse_contribution, `${amount} reversed`)
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Reverse ${amount}?`}
      description={`${reference} is taken out of the fund of ${company.name}. Both entries stay in the statement.`}
    >
      <Form
        name={`reversal:${id}`}
        shape={shape}
        onSubmit={async ({ reason }) => {
          await reverse.submit({ company_id: company.id, id, reason })
          onClose()
        }}
      >
        <TextField
          name="reason"
          label="Reason"
          hint="The company’s admins see it, too."
          autoComplete="off"
          required
        />
        <FormButtons waiting="Reversing...">Reverse</FormButtons>
      </Form>
    </Dialog>
  )
}
