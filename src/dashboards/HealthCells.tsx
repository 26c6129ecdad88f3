import { clsx } from 'clsx'
import { CircleAlert, CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { system_api } from '#api/system-api.ts'
import type { CheckState, Health } from '#system/system.contract.ts'
import { useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { dateText } from '#ui/DateText.tsx'
import { count, counted } from '#ui/figures.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Sparkline } from './Sparkline.tsx'

type Props = { health: Health | undefined; stale: boolean }

/** Each part of the server: its state, its one figure, and what stands behind it. */
export function HealthCells({ health, stale }: Props) {
  return (
    <ul
      className={clsx('grid gap-px bg-line sm:grid-cols-2 xl:grid-cols-3', stale && 'opacity-60')}
    >
      <Cell
        name="API response time"
        unit="p95"
        check={health?.api}
        figure={health && ms(health.api.p95_ms)}
      >
        {health && <ApiDetails {...health.api} />}
      </Cell>
      <Cell
        name="Database performance"
        unit="to answer"
        check={health?.database}
        figure={health && ms(health.database.ping_ms)}
      >
        {health && databaseDetails(health.database)}
      </Cell>
      <Cell
        name="Claims processing"
        unit="waiting"
        check={health?.claims}
        figure={health && (health.claims.waiting === null ? '–' : count(health.claims.waiting))}
      >
        {health && claimsDetails(health.claims)}
      </Cell>
      <Cell
        name="Jobs"
        unit="waiting"
        check={health?.jobs}
        figure={health && count(health.jobs.queued)}
      >
        {health && <JobDetails {...health.jobs} />}
      </Cell>
      <Keeping health={health} />
    </ul>
  )
}

/** The parts that work behind the scenes. */
function Keeping({ health }: { health: Health | undefined }) {
  return (
    <>
      <Cell
        name="Storage"
        unit="free"
        check={health?.storage}
        figure={health && bytes(health.storage.free_bytes)}
      >
        {health?.storage.size_bytes != null && `of ${bytes(health.storage.size_bytes)}`}
      </Cell>
      <Cell
        name="Mail"
        unit="waiting"
        check={health?.mail}
        figure={health && count(health.mail.waiting)}
      >
        {health && mailDetails(health.mail)}
      </Cell>
      <Cell
        name="Worker"
        unit="running"
        check={health?.worker}
        figure={health && count(health.worker.workers)}
      >
        {health?.worker.seen_at && `seen ${dateText(health.worker.seen_at, 'ago')}`}
      </Cell>
      <Cell
        name="Pending security updates"
        unit="pending"
        check={health?.updates}
        figure={
          health &&
          (health.updates.state === 'unknown' ? '–' : count(health.updates.pending.length))
        }
      >
        {health && <UpdateDetails {...health.updates} />}
      </Cell>
      <Cell
        name="Backups"
        unit="the last one"
        check={health?.backups}
        figure={health && (health.backups.at ? dateText(health.backups.at, 'ago') : '–')}
        wide
      >
        {health && <BackupDetails {...health.backups} />}
      </Cell>
      {health?.standby && (
        <Cell
          name="Standby"
          unit="read as of"
          check={health.standby}
          figure={health.standby.as_of ? dateText(health.standby.as_of, 'ago') : '–'}
          wide
        />
      )}
    </>
  )
}

const states = {
  good: { ink: 'text-good-ink', Icon: CircleCheck, word: 'Good' },
  notice: { ink: 'text-accent-ink', Icon: TriangleAlert, word: 'Worth a look' },
  bad: { ink: 'text-bad-ink', Icon: CircleAlert, word: 'Not working' },
  unknown: { ink: 'text-faint', Icon: CircleHelp, word: 'Not known' },
} satisfies Record<CheckState, unknown>

type CellProps = {
  name: string
  check: { state: CheckState; sentence: string } | undefined
  figure: string | undefined
  /** The unit of the figure. */
  unit?: string
  /** The odd one takes both places where there are two in a row. */
  wide?: boolean
  children?: ReactNode
}

function Cell({ name, check, figure, unit, wide, children }: CellProps) {
  const shown = check && states[check.state]
  return (
    <li
      className={clsx(
        'flex min-h-36 min-w-0 flex-col bg-surface px-5 py-4',
        wide && 'sm:col-span-2 xl:col-span-1',
      )}
    >
      <p className="flex items-center justify-between gap-2 text-ui text-soft">
        {name}
        {shown && <shown.Icon className={clsx('size-4', shown.ink)} aria-label={shown.word} />}
      </p>
      <p className="figures mt-1.5 flex h-8 items-baseline gap-1.5 text-xl font-semibold tracking-tight">
        {figure ?? <Skeleton className="mt-1 h-6 w-20" />}
        {figure && figure !== '–' && unit && (
          <span className="text-ui font-normal tracking-normal text-soft">{unit}</span>
        )}
      </p>
      <div className="mt-1 flex flex-col gap-0.5 text-ui text-soft">
        {check ? (
          <>
            <p className={clsx(check.state === 'bad' && 'font-medium text-bad-ink')}>
              {check.sentence}
            </p>
            <div className="figures text-faint">{children}</div>
          </>
        ) : (
          <Skeleton className="h-4 w-40" />
        )}
      </div>
    </li>
  )
}

function ApiDetails({ p50_ms, p99_ms, requests, minutes }: Health['api']) {
  return (
    <>
      {requests > 0 && (
        <p>{`p50 ${ms(p50_ms)} · p99 ${ms(p99_ms)} · ${count(requests)} requests`}</p>
      )}
      <Sparkline
        label="Response time, p95 of each of the last 15 minutes"
        points={minutes.map(({ p95_ms }) => p95_ms)}
      />
    </>
  )
}

const databaseDetails = (database: Health['database']) =>
  [
    `${count(database.connections)} of ${count(database.connections_max)} connections`,
    database.cache_hit_percent !== null &&
      `${database.cache_hit_percent.toLocaleString(undefined, { maximumFractionDigits: 1 })}% from cache`,
    bytes(database.size_bytes),
  ]
    .filter(Boolean)
    .join(' · ')

const claimsDetails = ({ oldest_at }: Health['claims']) =>
  oldest_at ? `The oldest arrived ${dateText(oldest_at, 'ago')}` : null

const mailDetails = ({ sent_at }: Health['mail']) =>
  sent_at ? `last sent ${dateText(sent_at, 'ago')}` : null

function JobDetails({ running, failing, given_up, failures }: Health['jobs']) {
  const retry = useWrite(system_api.retry_jobs, ({ jobs }) => `Retrying ${counted(jobs, 'job')}`)
  const failed = failing + given_up
  return (
    <div className="flex flex-col gap-1.5">
      <p>{`${count(running)} running · ${count(failed)} failed`}</p>
      {failures.slice(0, 2).map(({ task, jobs, reason }) => (
        <p
          key={task}
          className="wrap-anywhere"
        >{`${task}${jobs > 1 ? ` ×${jobs}` : ''}: ${reason}`}</p>
      ))}
      {failed > 0 && (
        <Button
          size="small"
          className="self-start"
          loading={retry.pending}
          onClick={() => retry({})}
        >
          Retry failed jobs
        </Button>
      )}
    </div>
  )
}

function BackupDetails({ bytes: size, version, drill }: Health['backups']) {
  return (
    <>
      {size !== null && <p>{`${bytes(size)} · made by version ${version}`}</p>}
      <p className="wrap-anywhere">
        {drill
          ? `Restored for trial ${dateText(drill.at, 'ago')}. ${drill.sentence}`
          : 'No backup was restored as a test yet'}
      </p>
    </>
  )
}

function UpdateDetails({ pending, checked_at, enabled }: Health['updates']) {
  const check = useWrite(system_api.check_updates, 'Asking the registry…')
  return (
    <div className="flex flex-col gap-1.5">
      {pending.slice(0, 3).map(({ package: name, version, title, severity, url }) => (
        <p key={`${name} ${version} ${title}`} className="wrap-anywhere">
          {url ? (
            <a href={url} rel="noreferrer" target="_blank" className="underline">
              {`${name} ${version}`}
            </a>
          ) : (
            `${name} ${version}`
          )}
          {`: ${title} (${severity})`}
        </p>
      ))}
      {pending.length > 3 && <p>{`and ${count(pending.length - 3)} more`}</p>}
      {checked_at && <p>{`checked ${dateText(checked_at, 'ago')}`}</p>}
      {enabled && (
        <Button
          size="small"
          className="self-start"
          loading={check.pending}
          onClick={() => check({})}
        >
          Check now
        </Button>
      )}
    </div>
  )
}

function ms(time: number | null): string {
  if (time === null) return '–'
  return time < 10
    ? `${time.toLocaleString(undefined, { maximumFractionDigits: 1 })} ms`
    : `${count(Math.round(time))} ms`
}

function bytes(size: number | null): string {
  if (size === null) return '–'
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']
  const at = size > 0 ? Math.min(Math.floor(Math.log(size) / Math.log(1024)), units.length - 1) : 0
  const digits = { maximumFractionDigits: at > 2 ? 1 : 0 }
  return `${(size / 1024 ** at).toLocaleString(undefined, digits)} ${units[at] ?? ''}`
}
