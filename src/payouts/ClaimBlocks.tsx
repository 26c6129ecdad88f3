import { useState } from 'react'
import { lazy_api } from '#api/lazy-api.ts'
import { useMay } from '#permissions/use-may.ts'
import { useRead } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { DateText } from '#ui/DateText.tsx'
import type { PaymentBlock } from './blocks.contract.ts'
import { RemoveBlock } from './RemoveBlock.tsx'

type Props = { person_id: string; claim_id: number }

/** The blocks that keep a claim out of payouts: its own, or one of all payments to its person. */
export function ClaimBlocks(of: Props) {
  const may = useMay()
  const found = useRead(lazy_api.payment_blocks.list, of)
  const [removing, setRemoving] = useState<PaymentBlock>()
  return (
    <>
      {found?.blocks.map((block) => (
        <Callout
          key={block.id}
          tone="accent"
          title={
            block.claim_id === null
              ? `All payments to ${block.person_name} are blocked: payouts leave this claim out`
              : 'Payment blocked: payouts leave this claim out'
          }
          action={
            may('payment_blocks.remove') && (
              <Button
                size="small"
                unless={block.refusals.remove}
                onClick={() => setRemoving(block)}
              >
                Remove block
              </Button>
            )
          }
        >
          <p>{block.reason}</p>
          <p className="text-ui text-soft">
            {block.placed_by ?? 'An admin'}, <DateText value={block.placed_at} />
          </p>
        </Callout>
      ))}
      {removing && <RemoveBlock block={removing} onClose={() => setRemoving(undefined)} />}
    </>
  )
}
