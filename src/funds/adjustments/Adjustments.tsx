import { useState } from 'react'
import { lazy_api } from '#api/lazy-api.ts'
import { categoryNames } from '#categories.ts'
import { useMay } from '#permissions/use-may.ts'
import { Status } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { useCursorList } from '#ui/cursor-list.ts'
import { dateText } from '#ui/DateText.tsx'
import { MoreButton } from '#ui/MoreButton.tsx'
import { AdjustBalance } from './AdjustBalance.tsx'
import { adjustmentText, statusNames, statusTones } from './adjustment-words.ts'
import type { Adjustment } from './adjustments.contract.ts'
import { DecideAdjustment } from './DecideAdjustment.tsx'

type Props = { person?: { id: string; name: string } }

/** Adjustments that wait for a second person, and confirmed ones: of everybody, or of one person. */
export function Adjustments({ person }: Props) {
  const may = useMay()
  const list = useCursorList(lazy_api.adjustments.list, { person_id: person?.id })
  const [opened, setOpened] = useState<string>()
  const [adjusting, setAdjusting] = useState(false)
  const found = list.pages?.flatMap((page) => page.adjustments)
  return (
    <Card
      title="Adjusted balances"
      description={person ? undefined : 'For one person, in addition to what the plan grants'}
      actions={
        may('adjustments.propose') && (
          <Button
            size="small"
            unless={list.pages?.[0]?.refusals.propose}
            onClick={() => setAdjusting(true)}
          >
            {person ? 'Adjust' : 'Adjust a balance'}
          </Button>
        )
      }
    >
      {found?.length === 0 && <p className="text-sm text-soft">None yet</p>}
      <ul className="divide-y divide-line">
        {found?.map((one) => (
          <AdjustmentLine
            key={one.id}
            adjustment={one}
            named={!person}
            onOpen={may('adjustments.confirm') ? () => setOpened(one.id) : undefined}
          />
        ))}
      </ul>
      <MoreButton list={list} />
      {opened && <DecideAdjustment id={opened} onClose={() => setOpened(undefined)} />}
      {adjusting && (
        <AdjustBalance {...(person && { person })} onClose={() => setAdjusting(false)} />
      )}
    </Card>
  )
}

type AdjustmentLineProps = {
  adjustment: Adjustment
  named: boolean
  onOpen: (() => void) | undefined
}

function AdjustmentLine({ adjustment, named, onOpen }: AdjustmentLineProps) {
  const { person_name, category, status, reason, proposed_by, decided_by } = adjustment
  const does = adjustment.refusals.confirm ? 'Open' : 'Decide'
  const by = [proposed_by ?? 'An admin', decided_by !== proposed_by && decided_by]
    .filter(Boolean)
    .join(', ')
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
      <div className="min-w-0 flex-1 basis-56 text-sm">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium wrap-anywhere">
            {named ? person_name : categoryNames[category]}
          </span>
          {named && <span>{categoryNames[category]}</span>}
          <Status tone={statusTones[status]}>{statusNames[status]}</Status>
        </p>
        <p className="text-ui wrap-anywhere text-soft">{reason}</p>
        <p className="text-ui text-faint">
          {`${by}, ${dateText(adjustment.decided_at ?? adjustment.proposed_at)}`}
        </p>
      </div>
      <span className="figures text-sm font-medium">{adjustmentText(adjustment)}</span>
      {status === 'waiting' && onOpen && (
        <Button size="small" aria-label={`${does}: ${person_name}`} onClick={onOpen}>
          {does}
        </Button>
      )}
    </li>
  )
}
