import { lazy_api } from '#api/lazy-api.ts'
import { useWrite } from '#ui/ask.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import type { PaymentBlock } from './blocks.contract.ts'

export const blockedText = ({ claim_id }: PaymentBlock) =>
  claim_id === null ? 'all their payments' : `claim #${claim_id}`

export function RemoveBlock({ block, onClose }: { block: PaymentBlock; onClose: () => void }) {
  const remove = useWrite(
    lazy_api.payment_blocks.remove,
    `Payment to ${block.person_name} unblocked`,
  )
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Remove the payment block of ${block.person_name}?`}
      description={`The next payout takes ${blockedText(block)}. ${block.person_name} is notified.`}
      does="Remove block"
      variant="primary"
      act={() => remove.submit({ id: block.id })}
    />
  )
}
