import { lazy_api } from '#api/lazy-api.ts'
import { useMay } from '#permissions/use-may.ts'
import type { ProblemCode } from '#problems.ts'
import { useActKey } from '#ui/act-key.ts'
import { useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { money } from '#ui/figures.ts'
import { ChoiceDialog } from './ChoiceDialog.tsx'

type ButtonProps = { name: string; unless: ProblemCode | null | undefined; onClick: () => void }

/** Shown only to admins who may block payments. */
export function BlockButton({ name, unless, onClick }: ButtonProps) {
  const may = useMay()
  if (!may('payment_blocks.add')) return null
  return (
    <Button
      size="small"
      variant="quiet"
      className="max-sm:-ml-2.5"
      unless={unless}
      aria-label={`Block payment: ${name}`}
      onClick={onClick}
    >
      Block payment
    </Button>
  )
}

const everything = 'everything'

type Props = {
  person_id: string
  person_name: string
  /** Claims that wait to be paid, with the amount of each if it is known. */
  claims: readonly { id: number; cents?: number }[]
  currency: string
  onClose: () => void
}

export function BlockPayment({ person_id, person_name, claims, currency, onClose }: Props) {
  const add = useWrite(lazy_api.payment_blocks.add, `Payment to ${person_name} blocked`)
  const key = useActKey()
  const claimLabel = ({ id, cents }: Props['claims'][number]) =>
    `Claim #${id}${cents === undefined ? '' : `, ${money(cents, currency)}`}`
  return (
    <ChoiceDialog
      name={`block:${person_id}`}
      title={`Block payment to ${person_name}`}
      description={
        'It stays out of payouts until the block is removed. ' +
        `${person_name} is notified that it waits and that they can ask HR, but not why.`
      }
      choice={{
        label: 'What is blocked',
        fault: 'Choose what is blocked',
        options: {
          ...Object.fromEntries(claims.map((claim) => [String(claim.id), claimLabel(claim)])),
          [everything]: 'All their payments, including claims approved later',
        },
      }}
      hint="For people with Finance or Auditor. Write nothing about health."
      does="Block payment"
      act={(what, reason) => {
        const claim_id = what === everything ? null : Number(what)
        const input = { person_id, claim_id, reason }
        return add.submit(input, { idempotency_key: key.of(input) })
      }}
      onClose={onClose}
    />
  )
}
