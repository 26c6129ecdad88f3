import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { CircleAlert, CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react'
import { Problem } from '#problems.ts'
import { system_api } from '#api/system-api.ts'
import { counted } from '#ui/figures.ts'
import type { CheckState, Health } from '#system/system.contract.ts'
import { DateText } from '#ui/DateText.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { HealthCells } from './HealthCells.tsx'

const every_ms = 15_000

/** Refreshed while it is on screen; a server that does not answer is shown as a result, too. */
export function HealthPanel() {
  const { data, error, dataUpdatedAt } = useQuery({
    queryKey: [system_api.health.key, {}],
    queryFn: ({ signal }) => system_api.health({}, { signal }),
    refetchInterval: every_ms,
    staleTime: 0,
    retry: false,
    throwOnError: false,
  })
  return (
    <section
      aria-label="System health"
      className="overflow-hidden rounded-card border border-line bg-surface shadow-card"
    >
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line px-5 py-4">
        <h2 className="text-sm font-semibold">System health</h2>
        <p className="text-ui text-soft" aria-hidden={!data}>
          {data ? (
            <>
              {counted(data.servers, 'server')} · checked{' '}
              <DateText value={new Date(dataUpdatedAt).toISOString()} show="moment" />
            </>
          ) : (
            <Skeleton className="h-4 w-32" />
          )}
        </p>
      </header>
      <Verdict health={data} error={error} />
      <HealthCells health={data} stale={error !== null} />
    </section>
  )
}

const styles = {
  good: { box: 'bg-good-wash', ink: 'text-good-ink', Icon: CircleCheck },
  notice: { box: 'bg-accent-wash', ink: 'text-accent-ink', Icon: TriangleAlert },
  bad: { box: 'bg-bad-wash', ink: 'text-bad-ink', Icon: CircleAlert },
  unknown: { box: 'bg-sunken', ink: 'text-soft', Icon: CircleHelp },
} satisfies Record<CheckState, unknown>

/** The one line: all systems operational, or why not. */
function Verdict({ health, error }: { health: Health | undefined; error: Error | null }) {
  const { state, sentence } = verdict(health, error)
  const { box, ink, Icon } = styles[state]
  return (
    <output
      className={clsx('flex items-center gap-3 border-b border-line px-5 py-3.5 text-sm', box)}
    >
      <Icon className={clsx('size-5 shrink-0', ink)} aria-hidden />
      <span className={clsx('min-h-5 font-medium', ink)}>{sentence}</span>
    </output>
  )
}

function verdict(
  health: Health | undefined,
  error: Error | null,
): { state: CheckState; sentence: string } {
  if (error) {
    const down = error instanceof Problem && error.code === 'unavailable'
    return {
      state: 'bad',
      sentence: down
        ? 'Not operational: the database does not answer'
        : 'Not operational: the server does not answer',
    }
  }
  if (!health) return { state: 'unknown', sentence: 'Looking…' }
  const { operational, sentence, claims } = health
  if (!operational) return { state: 'bad', sentence: `Not operational: ${sentence}` }
  if (sentence !== 'All systems operational') return { state: 'notice', sentence }
  // Claims that companies decide late are no fault of the systems, but stand below: the line says both.
  const late = claims.overdue ? `. At companies, ${claims.sentence}` : ''
  return { state: 'good', sentence: sentence + late }
}
