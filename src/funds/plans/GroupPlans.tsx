import { ArrowDown, ArrowUp, Pencil, Plus, Trash2 } from 'lucide-react'
import { use, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { categories, categoryNames } from '#categories.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { paths } from '#paths.ts'
import { ActorContext } from '#ui/actor.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button, IconButton } from '#ui/Button.tsx'
import { today } from '#ui/calendar-days.ts'
import { Callout } from '#ui/Callout.tsx'
import { Card } from '#ui/Card.tsx'
import { dateText } from '#ui/DateText.tsx'
import { keepDraft, readDraft } from '#ui/draft.ts'
import { money } from '#ui/figures.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { toast } from '#ui/toast.ts'
import { UnsavedChanges } from '#ui/UnsavedChanges.tsx'
import { EditGroupPlan } from './EditGroupPlan.tsx'
import { PlanEffectPanel } from './PlanEffectPanel.tsx'
import { GroupPlan, type GroupPlanList } from './group-plans.contract.ts'
import type { Plan } from './plans.contract.ts'

type Props = { plan: Plan; currency: string }

/** The plans of groups in place of the company's, in the order that counts. */
export function GroupPlans({ plan, currency }: Props) {
  const { plan_year } = plan
  const saved = useRead(lazy_api.group_plans.list, { plan_year })
  const groups = useRead(lazy_api.groups.list, {})
  if (!saved || !groups) {
    return (
      <Card title="Group plans">
        <Skeleton className="h-12 w-full" />
      </Card>
    )
  }
  return <Draft key={plan_year} {...{ plan, currency, saved, groups }} />
}

type Groups = readonly { id: string; name: string }[]
type DraftProps = Props & { saved: GroupPlanList; groups: Groups }

/**
 * Unchanged plans follow the saved ones; changed ones stay until they are saved or discarded, also over a reload: the draft of a
 * form, whose one field is the list.
 */
function useDraft(saved: GroupPlanList, plan_year: string) {
  const name = `${use(ActorContext)?.id ?? 'visitor'}:group-plans:${plan_year}`
  const [opened, setOpened] = useState(saved)
  const [draft, setDraft] = useState<GroupPlan[]>(() => keptIn(name, saved) ?? plansOf(saved))
  useEffect(() => keepDraft(name, fieldOf(draft), fieldOf(plansOf(opened))), [name, draft, opened])
  const take = () => {
    setOpened(saved)
    setDraft(plansOf(saved))
  }
  const changed = !alike(draft, plansOf(opened))
  const newer = saved.version > opened.version
  if (newer && (!changed || alike(draft, plansOf(saved)))) take()
  return { draft, setDraft, take, changed, newer }
}

const fieldOf = (plans: GroupPlan[]) => ({ plans: JSON.stringify(plans) })

const keptIn = (name: string, saved: GroupPlanList) => {
  const { plans } = readDraft(name, fieldOf(plansOf(saved)))
  return typeof plans === 'string' ? z.array(GroupPlan).parse(JSON.parse(plans)) : undefined
}

/** Plans that are being written are shown in numbers before they are saved. */
function Draft({ plan, currency, saved, groups }: DraftProps) {
  const { draft, setDraft, take, changed, newer } = useDraft(saved, plan.plan_year)
  /** The group whose plan is open; 'new' where one is added. */
  const [open, setOpen] = useState<string>()
  const { plan_year } = plan
  const nameOf = (group_id: string) => groups.find(({ id }) => id === group_id)?.name ?? ''
  const free = groups.filter(({ id }) => !draft.some(({ group_id }) => group_id === id))
  const move = (at: number, by: number) => {
    const [one] = draft.slice(at, at + 1)
    if (one) setDraft(draft.toSpliced(at, 1).toSpliced(at + by, 0, one))
  }
  const edited = draft.find(({ group_id }) => group_id === open)
  const put = (one: GroupPlan) => {
    const at = draft.findIndex(({ group_id }) => group_id === one.group_id)
    if (open === 'new' && at >= 0) {
      toast('Somebody else has just saved a plan for this group. Edit that one', 'failure')
      return
    }
    setDraft(at < 0 ? [...draft, one] : draft.with(at, one))
  }
  return (
    <div className={changed ? 'grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]' : ''}>
      <Card title="Group plans" description={about} actions={groupsLink} flush>
        {newer && changed && <Meanwhile saved={saved} currency={currency} />}
        <ol className="divide-y divide-line" aria-label="Group plans">
          {draft.map((one, at) => (
            <GroupPlanLine
              key={one.group_id}
              at={at}
              last={at === draft.length - 1}
              name={nameOf(one.group_id)}
              amounts={amountsText(one, currency)}
              from={one.counts_from > plan_year ? dateText(one.counts_from) : undefined}
              closed={plan.closed}
              onMove={(by) => move(at, by)}
              onEdit={() => setOpen(one.group_id)}
              onRemove={() => setDraft(draft.toSpliced(at, 1))}
            />
          ))}
        </ol>
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3">
          <p className="text-ui text-soft">{underneath(draft, groups)}</p>
          {!plan.closed && (
            <Button icon={Plus} disabled={free.length === 0} onClick={() => setOpen('new')}>
              Add plan
            </Button>
          )}
        </div>
      </Card>
      {changed && (
        <Effect {...{ plan, currency, draft }} version={saved.version} onDiscard={take} />
      )}
      {open !== undefined && (edited || open === 'new') && (
        <EditGroupPlan
          of={edited}
          plan={plan}
          currency={currency}
          groups={edited ? [{ id: edited.group_id, name: nameOf(edited.group_id) }] : free}
          onSave={put}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}

const about =
  'People in several groups have the plan of the first; people in none have the company’s'
const groupsLink = (
  <Link to={paths.groups} className="rounded text-ui font-medium text-primary-ink hover:underline">
    Groups
  </Link>
)

const alike = (one: GroupPlan[], other: GroupPlan[]) =>
  JSON.stringify(one) === JSON.stringify(other)

const plansOf = ({ plans }: GroupPlanList): GroupPlan[] => plans.map((one) => GroupPlan.parse(one))

const amountsText = (one: GroupPlan, currency: string) =>
  categories
    .map((category) => `${categoryNames[category]} ${money(one[`${category}_cents`], currency)}`)
    .join(' · ') + (one.by_month ? ', by month' : '')

function underneath(draft: GroupPlan[], groups: Groups): string {
  if (groups.length === 0) return 'Make a group first: by department, or of people you pick.'
  return draft.length === 0
    ? 'No group plans: everybody has the company’s plan.'
    : 'The extra for dependents and the rules of the year are the company’s.'
}

/** A notice that somebody else saved other plans while these were written. */
const Meanwhile = ({ saved, currency }: { saved: GroupPlanList; currency: string }) => (
  <div className="px-5 pb-4">
    <Callout tone="accent" title="Group plans were saved while you were editing">
      Your changes are still here, and replace theirs when you save. Theirs are:
      <ol className="mt-2 flex list-decimal flex-col gap-1 pl-5">
        {saved.plans.map((one) => (
          <li key={one.group_id} className="wrap-anywhere">
            <span className="font-medium">{one.name}</span>: {amountsText(one, currency)}
          </li>
        ))}
      </ol>
      {saved.plans.length === 0 && 'none, everybody has the company’s plan.'}
    </Callout>
  </div>
)

type GroupPlanLineProps = {
  at: number
  last: boolean
  name: string
  amounts: string
  from: string | undefined
  closed: boolean
  onMove: (by: number) => void
  onEdit: () => void
  onRemove: () => void
}

function GroupPlanLine({
  at,
  last,
  name,
  amounts,
  from,
  closed,
  onMove,
  onEdit,
  onRemove,
}: GroupPlanLineProps) {
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 px-5 py-3.5 text-sm">
      <span className="figures grid size-6 shrink-0 place-items-center rounded-full bg-sunken text-ui text-soft">
        {at + 1}
      </span>
      <div className="min-w-40 flex-1">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="mt-0.5 text-ui wrap-anywhere text-soft">{amounts}</p>
        {from && <p className="text-ui text-soft">{`From ${from}`}</p>}
      </div>
      {!closed && (
        <div className="flex gap-1 max-sm:basis-full max-sm:justify-end">
          <IconButton
            size="small"
            label={`Move ${name} up`}
            disabled={at === 0}
            icon={<ArrowUp className="size-3.5" aria-hidden />}
            onClick={() => onMove(-1)}
          />
          <IconButton
            size="small"
            label={`Move ${name} down`}
            disabled={last}
            icon={<ArrowDown className="size-3.5" aria-hidden />}
            onClick={() => onMove(1)}
          />
          <IconButton
            size="small"
            label={`Change plan of ${name}`}
            icon={<Pencil className="size-3.5" aria-hidden />}
            onClick={onEdit}
          />
          <IconButton
            size="small"
            label={`Remove plan of ${name}`}
            icon={<Trash2 className="size-3.5" aria-hidden />}
            onClick={onRemove}
          />
        </div>
      )}
    </li>
  )
}

type EffectProps = Props & {
  draft: GroupPlan[]
  version: number
  onDiscard: () => void
}

function Effect({ plan, currency, draft, version, onDiscard }: EffectProps) {
  const { plan_year } = plan
  const save = useWrite(lazy_api.group_plans.change, 'Group plans saved')
  const effect = useRead(
    lazy_api.group_plans.preview,
    { plan_year, plans: draft },
    { keep: true, quiet: true },
  )
  const later = draft.some(({ counts_from }) => counts_from > today() && counts_from > plan_year)
  return (
    <Card title="What these plans do">
      <PlanEffectPanel
        effect={effect}
        complete
        currency={currency}
        begins_on={plan_year > today() ? plan_year : undefined}
      />
      {later && (
        <p className="mt-4 text-ui text-soft">
          Once every plan applies, with your company as it is now.
        </p>
      )}
      <div className="mt-5 flex flex-col gap-4">
        <UnsavedChanges onDiscard={onDiscard} />
        <Button
          variant="primary"
          loading={save.pending}
          unless={effect?.refusals.save}
          onClick={() => save({ plan_year, version, plans: draft })}
        >
          Save group plans
        </Button>
      </div>
    </Card>
  )
}
