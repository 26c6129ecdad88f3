import {
  CalendarCheck,
  CalendarClock,
  MapPin,
  Pencil,
  Plus,
  Stethoscope,
  Users,
} from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { health_checks_api } from '#api/health-checks-api.ts'
import { useActor } from '#ui/actor.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Status } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Card, StatCard, Stats } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Empty } from '#ui/Empty.tsx'
import { count } from '#ui/figures.ts'
import { Page } from '#ui/Page.tsx'
import { Table } from '#ui/Table.tsx'
import { useUrlState } from '#ui/url-state.ts'
import { zoneName } from '#ui/time-zones.ts'
import { AddSlots } from './AddSlots.tsx'
import { CloseDialog } from './CloseDialog.tsx'
import type { CheckProvider } from './health-checks.contract.ts'
import { AddProvider, EditProvider } from './ProviderForm.tsx'
import { ProviderDays } from './ProviderDays.tsx'

/** Providers, their times and their days, for those who set them up. */
export function SetUpPage({ other }: { other?: ReactNode }) {
  const providers = useRead(health_checks_api.providers, {})
  const [chosen, choose] = useUrlState('provider')
  const [adding, setAdding] = useState(false)
  const provider = providers?.find(({ id }) => id === chosen) ?? providers?.[0]
  const of_hr = useActor().role === 'company_admin'
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
      Add provider
    </Button>
  )
  return (
    <Page
      title="Health Checks"
      description={
        of_hr
          ? 'Checks that you organise for your own people. They can book Healthfund’s checks as well.'
          : 'Checks that are open to the people of all companies.'
      }
      actions={
        <>
          {other}
          {providers?.length ? add : null}
        </>
      }
    >
      <Figures providers={providers} />
      <Callout title="Who sees names">
        {of_hr
          ? 'You see who comes to the checks that you organise, so that you can run them. Only they see what they book elsewhere.'
          : 'People come with a code; their names stay with them. Day lists hold times and codes.'}
      </Callout>
      <Card flush>
        <Table
          label="Providers"
          rows={providers}
          columns={provider_columns}
          skeletons={2}
          onPress={({ id }) => choose(id)}
          empty={
            <Empty icon={<Stethoscope aria-hidden />} title="No providers yet" action={add}>
              Add who offers the checks, then the times at which people can come.
            </Empty>
          }
        />
      </Card>
      {provider && <Provider key={provider.id} provider={provider} />}
      <AddProvider
        open={adding}
        onClose={() => setAdding(false)}
        onAdded={(id) => {
          setAdding(false)
          choose(id)
        }}
      />
    </Page>
  )
}

function Figures({ providers }: { providers: CheckProvider[] | undefined }) {
  const sum = (of: (provider: CheckProvider) => number) =>
    providers && count(providers.reduce((all, provider) => all + of(provider), 0))
  return (
    <Stats>
      <StatCard
        label="Open providers"
        value={sum(({ closed_at }) => (closed_at ? 0 : 1))}
        icon={<Stethoscope aria-hidden />}
      />
      <StatCard
        label="Upcoming times"
        value={sum(({ slots }) => slots)}
        icon={<CalendarClock aria-hidden />}
      />
      <StatCard
        label="Upcoming places"
        value={sum(({ places }) => places)}
        icon={<Users aria-hidden />}
      />
      <StatCard
        label="Booked"
        value={sum(({ booked }) => booked)}
        icon={<CalendarCheck aria-hidden />}
      />
    </Stats>
  )
}

const provider_columns = {
  Provider: ({ name }: CheckProvider) => name,
  Offers: ({ offers }: CheckProvider) => offers,
  Status: ({ closed_at }: CheckProvider) =>
    closed_at ? <Status>Closed</Status> : <Status tone="good">Open</Status>,
  'Next free': ({ next_free_on }: CheckProvider) =>
    next_free_on ? <DateText value={next_free_on} /> : '–',
  Booked: {
    cell: ({ booked, places }: CheckProvider) => `${count(booked)} of ${count(places)}`,
    end: true,
  },
}

type SetUpDialog = 'times' | 'edit' | 'close' | undefined

function Provider({ provider }: { provider: CheckProvider }) {
  const { id, name, offers, place, time_zone, note, closed_at, booked, refusals } = provider
  const [open, setOpen] = useState<SetUpDialog>()
  const close = useWrite(health_checks_api.close_provider, `${name} closed`)
  const reopen = useWrite(health_checks_api.reopen_provider, `${name} reopened`)
  const done = () => setOpen(undefined)
  return (
    <Card
      title={name}
      description={`${offers} · ${zoneName(time_zone)}`}
      actions={
        <div className="flex flex-wrap gap-2">
          <Button size="small" icon={Pencil} onClick={() => setOpen('edit')}>
            Edit
          </Button>
          {closed_at ? (
            <Button
              size="small"
              loading={reopen.pending}
              unless={refusals.reopen}
              onClick={() => reopen({ id })}
            >
              Reopen
            </Button>
          ) : (
            <>
              <Button size="small" unless={refusals.close} onClick={() => setOpen('close')}>
                Close provider
              </Button>
              <Button
                size="small"
                variant="primary"
                icon={Plus}
                unless={refusals.add_slots}
                onClick={() => setOpen('times')}
              >
                Add times
              </Button>
            </>
          )}
        </div>
      }
    >
      <p className="mb-5 flex gap-1.5 text-ui wrap-anywhere text-soft">
        <MapPin className="mt-0.5 size-3.5 shrink-0" aria-hidden />
        <span>
          {place}
          {note && <span className="block">{note}</span>}
        </span>
      </p>
      <ProviderDays provider={provider} />
      <AddSlots provider={provider} open={open === 'times'} onClose={done} />
      <EditProvider provider={provider} open={open === 'edit'} onClose={done} />
      <CloseDialog
        name={`provider-${id}`}
        title={`Close ${name}?`}
        booked={booked}
        open={open === 'close'}
        onClose={done}
        onConfirm={(reason) => close.submit({ id, reason })}
      />
    </Card>
  )
}
