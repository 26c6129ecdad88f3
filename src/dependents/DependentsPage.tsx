import { HeartHandshake, Plus, Users, UserRound, Cake, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { api } from '#api/api.ts'
import { CoverStateStatus, RelationshipBadge } from '#shared/cover-states.tsx'
import { useRead } from '#ui/ask.ts'
import { Avatar } from '#ui/Avatar.tsx'
import { count, money } from '#ui/figures.ts'
import { initialsOf } from '#ui/initials.ts'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Card, StatCard, Stats } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Money } from '#ui/Money.tsx'
import { Page } from '#ui/Page.tsx'
import { Table, type TableProps } from '#ui/Table.tsx'
import { AddDependent } from './DependentForm.tsx'
import { DependentSheet } from './DependentSheet.tsx'
import { isCurrent, type Dependent, type Family } from './dependents.contract.ts'
import { nobodyText, over } from './words.contract.ts'

export function DependentsPage() {
  const family = useRead(api.dependents.mine, {})
  const [search, setSearch] = useSearchParams()
  const setAdding = (open: boolean) => setSearch(open ? { new: '' } : {}, { replace: true })
  const [shown, setShown] = useState<string>()
  const all = family?.dependents
  const add = (text: string) => (
    <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
      {text}
    </Button>
  )
  const past = all?.filter((one) => !isCurrent(one)) ?? []
  const is_over = Boolean(family?.refusals.add)
  return (
    <Page title="Dependents" actions={all?.length && !is_over ? add('Add dependent') : undefined}>
      <Figures family={family} />
      <Explanation family={family} />
      <Card flush {...(all?.length ? { title: 'Your family' } : {})}>
        <Table
          label="Dependents"
          rows={all?.filter(isCurrent)}
          columns={dependent_columns}
          onPress={({ id }) => setShown(id)}
          skeletons={3}
          empty={
            <Empty
              icon={<UserRound aria-hidden />}
              title={nobodyText(past.length)}
              action={past.length || is_over ? undefined : add('Add Your First Dependent')}
            >
              {!is_over &&
                'Register the family members that your Solidarity fund covers: your spouse, children and parents.'}
            </Empty>
          }
        />
      </Card>
      {past.length > 0 && (
        <Card
          flush
          title="Before"
          description="Cover that has ended, and requests that were declined or withdrawn."
        >
          <Table
            label="Past dependents"
            rows={past}
            columns={dependent_columns}
            onPress={({ id }) => setShown(id)}
            empty=""
          />
        </Card>
      )}
      {family && (
        <>
          <AddDependent
            family={family}
            open={search.has('new') && !is_over}
            onClose={() => setAdding(false)}
          />
          <DependentSheet
            family={family}
            dependent={all?.find(({ id }) => id === shown)}
            onClose={() => setShown(undefined)}
          />
        </>
      )}
    </Page>
  )
}

const dependent_columns: TableProps<Dependent>['columns'] = {
  Name: {
    cell: ({ full_name }: Dependent) => (
      <span className="flex items-center gap-3">
        <Avatar initials={initialsOf(full_name)} />
        {full_name}
      </span>
    ),
  },
  Relationship: {
    phone: 'end',
    cell: ({ relationship }: Dependent) => <RelationshipBadge relationship={relationship} />,
  },
  'Birth date': ({ born_on }: Dependent) => <DateText value={born_on} />,
  Age: ({ age }: Dependent) => count(age),
  Status: {
    phone: 'below_end',
    cell: (dependent: Dependent) => <CoverStateStatus dependent={dependent} />,
  },
  Added: ({ added_on }: Dependent) => <DateText value={added_on} show="month" />,
}

function Figures({ family }: { family: Family | undefined }) {
  const me = useRead(api.users.me, {})
  const funds = useRead(api.funds.mine, {})
  const solidarity = funds?.balances.find(({ category }) => category === 'solidarity')
  const currency = me?.company?.currency
  return (
    <Stats>
      <StatCard
        label="Total dependents"
        value={family && count(family.total)}
        icon={<Users aria-hidden />}
      />
      <StatCard
        label="Active coverage"
        value={family && count(family.active)}
        icon={<ShieldCheck aria-hidden />}
      />
      <StatCard
        label="Solidarity fund balance"
        value={
          funds && currency && <Money cents={solidarity?.balance_cents ?? 0} currency={currency} />
        }
        icon={<HeartHandshake aria-hidden />}
      />
      <StatCard
        label="Average age"
        value={family && (family.average_age === null ? '–' : count(family.average_age))}
        icon={<Cake aria-hidden />}
      />
    </Stats>
  )
}

const what_for =
  'Your Solidarity fund pays health bills of your spouse, children and parents: family doctor, ' +
  'child vaccinations, elder care and more. Prevention and Treatment are for yourself.'

function Explanation({ family }: { family: Family | undefined }) {
  const currency = useRead(api.users.me, {})?.company?.currency
  if (family?.refusals.add)
    return <Callout title={over}>{`Nobody can be added any more. ${afterwards}`}</Callout>
  const points = [
    ['What it is for', what_for],
    ['Who is covered', family ? whoIsCovered(family) : ''],
    ['What it provides', family && currency ? whatItGives(family, currency) : ''],
  ]
  return (
    <Card title="How Solidarity cover works">
      <dl className="grid gap-x-8 gap-y-5 md:grid-cols-3">
        {points.map(([term, sentence]) => (
          <div key={term}>
            <dt className="text-sm font-medium">{term}</dt>
            <dd className="mt-1 text-sm text-pretty text-soft">{sentence}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

const whoIsCovered = ({ rules }: Family) =>
  'Everybody you add, from the day cover begins until the day you end it. ' +
  `Children are covered until the end of the month in which they turn ${rules.child_age}. ` +
  (rules.approval_needed
    ? 'Your HR approves each one first.'
    : 'Cover starts at once: nobody has to approve it.')

const afterwards =
  'Bills from days of cover can still be claimed after it has ended, as long as your plan accepts claims for that year.'

function whatItGives(family: Family, currency: string) {
  const { dependent_cents, dependent_cap_cents, dependent_share_cents } = family
  if (dependent_cents === 0)
    return `One fund for the whole family, shared as you need it. ${afterwards}`
  const most =
    dependent_cap_cents === null
      ? ''
      : `, up to ${money(dependent_cap_cents, currency)} more in all`
  const share =
    dependent_share_cents < dependent_cents
      ? ` In this plan year, your first, the share is ${money(dependent_share_cents, currency)} each.`
      : ''
  return `Each covered dependent adds ${money(dependent_cents, currency)} a year to your fund${most}.${share} ${afterwards}`
}
