import { useState } from 'react'
import { lazy_api } from '#api/lazy-api.ts'
import { useMay } from '#permissions/use-may.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { useCursorList } from '#ui/cursor-list.ts'
import { DateText } from '#ui/DateText.tsx'
import { Money } from '#ui/Money.tsx'
import { MoreButton } from '#ui/MoreButton.tsx'
import { BlockButton, BlockPayment } from './BlockPayment.tsx'
import type { PaymentBlock } from './blocks.contract.ts'
import { blockedText, RemoveBlock } from './RemoveBlock.tsx'

type Props = { person?: { id: string; name: string } }

/** The payment blocks and their reasons: of everybody, where there are any, or of one person. */
export function Blocks({ person }: Props) {
  const list = useCursorList(lazy_api.payment_blocks.list, { person_id: person?.id })
  const [removing, setRemoving] = useState<PaymentBlock>()
  const [blocking, setBlocking] = useState(false)
  const blocks = list.pages?.flatMap((page) => page.blocks) ?? []
  const currency = list.pages?.[0]?.currency ?? ''
  if (blocks.length === 0 && !person) return null
  const all = blocks.some(({ claim_id }) => claim_id === null)
  return (
    <Card
      title="Payment blocks"
      description={
        blocks.length > 0 ? 'Left out of payouts until the block is removed.' : undefined
      }
      actions={
        person &&
        !all && (
          <BlockButton
            name={person.name}
            unless={list.pages?.[0]?.refusals.block}
            onClick={() => setBlocking(true)}
          />
        )
      }
    >
      {blocks.length === 0 && (
        <p className="text-sm text-soft">No blocks: payouts include everything that is due.</p>
      )}
      <ul className="divide-y divide-line">
        {blocks.map((block) => (
          <BlockRow
            key={block.id}
            block={block}
            currency={currency}
            onRemove={() => setRemoving(block)}
          />
        ))}
      </ul>
      <MoreButton list={list} />
      {blocking && person && (
        <BlockPayment
          person_id={person.id}
          person_name={person.name}
          claims={[]}
          currency={currency}
          onClose={() => setBlocking(false)}
        />
      )}
      {removing && <RemoveBlock block={removing} onClose={() => setRemoving(undefined)} />}
    </Card>
  )
}

type RowProps = { block: PaymentBlock; currency: string; onRemove: () => void }

function BlockRow({ block, currency, onRemove }: RowProps) {
  const may = useMay()
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
      <div className="min-w-0 flex-1 basis-56 text-sm">
        <p className="wrap-anywhere">
          <span className="font-medium">{block.person_name}</span>
          {`, ${blockedText(block)}`}
        </p>
        <p className="text-ui wrap-anywhere text-soft">{block.reason}</p>
        <p className="text-ui text-faint">
          {block.placed_by ?? 'An admin'}, <DateText value={block.placed_at} />
        </p>
      </div>
      <span className="figures text-sm font-medium">
        <Money cents={block.cents} currency={currency} />
      </span>
      {may('payment_blocks.remove') && (
        <Button
          size="small"
          unless={block.refusals.remove}
          aria-label={`Remove block: ${block.person_name}, ${blockedText(block)}`}
          onClick={onRemove}
        >
          Remove block
        </Button>
      )}
    </li>
  )
}
