import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { lazy_api } from '#api/lazy-api.ts'
import { useActor } from '#ui/actor.ts'
import { useRead } from '#ui/ask.ts'
import { Avatar } from '#ui/Avatar.tsx'
import { initialsOf } from '#ui/initials.ts'
import { Status, type BadgeTone } from '#ui/Badge.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Page } from '#ui/Page.tsx'
import { Pager } from '#ui/Pager.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Tabs } from '#ui/Tabs.tsx'
import { useFilter, usePageKey } from '#ui/url-state.ts'
import {
  Blockers,
  DecideErasure,
  ErasureDialog,
  isDecided,
  type ErasureDecision,
} from './DecideErasure.tsx'
import type { Erasure } from './privacy.contract.ts'

const about = {
  company_admin:
    'People who asked for their data to be erased. You decide first, then the provider carries it out.',
  super_admin:
    'People who asked for their data to be erased, and no longer wait for HR. Granting one carries it out.',
  employee: '',
}

/** HR and the provider decide here on requests for erasure. */
export function ErasuresPage() {
  const { role } = useActor()
  const [show, setShow] = useFilter('show')
  return (
    <Page title="Erasure requests" description={about[role]}>
      <Tabs
        label="Erasure requests"
        shown={show === 'ended' ? 'Ended' : 'Open'}
        onShow={(title) => setShow(title === 'Ended' ? 'ended' : '')}
        tabs={{
          Open: show !== 'ended' && <List show="open" />,
          Ended: show === 'ended' && <List show="ended" />,
        }}
      />
    </Page>
  )
}

function List({ show }: { show: 'open' | 'ended' }) {
  const { after } = usePageKey()
  const found = useRead(lazy_api.privacy.erasures, { show, after }, { keep: true })
  const [decision, setDecision] = useState<ErasureDecision>()
  const now = found?.erasures.find(({ id }) => id === decision?.erasure.id)
  return (
    <Card flush>
      <ul aria-busy={!found} className="divide-y divide-line">
        {found?.erasures.map((erasure) => (
          <ErasureLine key={erasure.id} erasure={erasure} onDecide={setDecision} />
        )) ?? (
          <li className="p-5">
            <Skeleton className="h-12 w-full" />
          </li>
        )}
      </ul>
      {found?.erasures.length === 0 && (
        <Empty
          icon={<ShieldCheck aria-hidden />}
          title={show === 'open' ? 'Nobody is waiting for a decision' : 'Nothing decided yet'}
        >
          {show === 'open'
            ? 'Requests made in Settings appear here, and you are notified.'
            : 'What was granted, refused or withdrawn appears here.'}
        </Empty>
      )}
      <Pager next={found?.next} />
      {decision && (
        <ErasureDialog
          decision={decision}
          still={now !== undefined && !isDecided(now)}
          onClose={() => setDecision(undefined)}
        />
      )}
    </Card>
  )
}

const tones: Record<Erasure['status'], [BadgeTone, string]> = {
  requested: ['accent', 'Waits for HR'],
  with_provider: ['primary', 'Waits for the provider'],
  under_way: ['primary', 'Being carried out'],
  done: ['good', 'Erased'],
  refused: ['bad', 'Refused'],
  withdrawn: ['neutral', 'Withdrawn'],
}

type LineProps = { erasure: Erasure; onDecide: (decision: ErasureDecision) => void }

export function ErasureLine({ erasure, onDecide }: LineProps) {
  const [tone, label] = tones[erasure.status]
  const company = useActor().role === 'super_admin' && erasure.company_name
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 px-5 py-4 text-sm">
      <Avatar initials={initialsOf(erasure.person_name)} />
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium wrap-anywhere">{erasure.person_name}</span>
          <Status tone={tone}>{label}</Status>
        </p>
        <p className="mt-0.5 text-ui wrap-anywhere text-soft">
          {[erasure.person_email, company].filter(Boolean).join(' · ')}
        </p>
        <p className="mt-0.5 text-ui text-soft">
          Requested on <DateText value={erasure.requested_at} show="moment" />
          <Steps erasure={erasure} />
        </p>
        {erasure.reason && <p className="mt-2 wrap-anywhere">“{erasure.reason}”</p>}
        {erasure.refusal && (
          <p className="mt-2 wrap-anywhere">Refused because: {erasure.refusal}</p>
        )}
        <Blockers blockers={erasure.blockers} />
      </div>
      {!isDecided(erasure) && <DecideErasure erasure={erasure} onDecide={onDecide} />}
    </li>
  )
}

/** The people who decided, and when. */
function Steps({ erasure }: { erasure: Erasure }) {
  const { hr_at, hr_name, provider_at, provider_name, status, ended_at } = erasure
  return (
    <>
      {hr_at && (
        <>
          {' '}
          · {hr_name ? `HR (${hr_name})` : 'passed to the provider'} on <DateText value={hr_at} />
        </>
      )}
      {provider_at && (
        <>
          {' '}
          · the provider{provider_name && ` (${provider_name})`} on <DateText value={provider_at} />
        </>
      )}
      {status === 'withdrawn' && ended_at && (
        <>
          {' '}
          · withdrawn on <DateText value={ended_at} />
        </>
      )}
    </>
  )
}
