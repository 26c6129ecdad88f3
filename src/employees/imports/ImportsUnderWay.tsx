import { clsx } from 'clsx'
import { useEffect, useRef } from 'react'
import { paths } from '#paths.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead } from '#ui/ask.ts'
import { Progress } from '#ui/Bar.tsx'
import { Button, ButtonLink } from '#ui/Button.tsx'
import { count, counted } from '#ui/figures.ts'
import { toast } from '#ui/toast.ts'
import type { ListedImport } from './imports.contract.ts'

/** Unfinished imports can be found again, finished ones until they are dismissed. */
export const isRecent = ({ created_at }: ListedImport) =>
  Date.now() - Date.parse(created_at) < 86_400_000

/** How many rows there are to apply. */
export const rowsToApply = ({ fresh, changes, missing, leaves }: ListedImport) =>
  fresh + changes + (leaves ? missing : 0)

const isUnderWay = ({ status }: ListedImport) => status === 'importing' || status === 'undoing'

const styles = clsx(
  'flex flex-wrap items-center gap-x-6 gap-y-3 rounded-card border border-line bg-surface',
  'px-5 py-4 text-sm shadow-card',
)

/** The newest file: it is imported whether anybody looks or not, and is shown for a day. */
export function ImportsUnderWay({ onOpen }: { onOpen: () => void }) {
  const imports = useRead(lazy_api.imports.list, {})
  useSayWhenDone(imports)
  const shown = imports?.find((one) => isUnderWay(one) || one.status === 'checked') ?? imports?.[0]
  if (!shown || shown.status === 'reading' || !isRecent(shown)) return null
  const { status, file_name, done, taken, kept, full_list } = shown
  const fresh = rowsToApply(shown)
  const of_all = status === 'undoing' ? done + taken + kept : fresh
  const percent = of_all === 0 ? 0 : (100 * done) / of_all
  return (
    <section aria-label="Bulk upload" className={styles}>
      <div className="min-w-56 flex-1">
        <p className="wrap-anywhere">
          {status === 'checked' &&
            (full_list
              ? `${file_name} has been compared but not applied yet`
              : `${file_name} has been checked, but not imported yet: ${counted(fresh, 'new person', 'new people')}`)}
          {status === 'waiting' && `${file_name} is waiting for another admin’s approval`}
          {status === 'importing' &&
            `${full_list ? 'Applying' : 'Importing'} ${file_name}: ${count(done)} of ${count(fresh)}`}
          {status === 'undoing' && `Undoing ${file_name}`}
          {status === 'done' &&
            (full_list
              ? `${file_name} was applied`
              : `${file_name} was imported: ${counted(taken, 'person', 'people')} added`)}
          {status === 'undone' && undone(shown)}
        </p>
        {isUnderWay(shown) && (
          <Progress className="mt-2" percent={percent} label={`Progress of ${file_name}`} />
        )}
      </div>
      {full_list ? (
        <ButtonLink to={paths.people_file} size="small">
          {status === 'checked' || status === 'waiting' ? 'Review' : 'Details'}
        </ButtonLink>
      ) : (
        status !== 'undone' && (
          <Button size="small" onClick={onOpen}>
            {status === 'checked' ? 'Review' : 'Details'}
          </Button>
        )
      )}
    </section>
  )
}

const undone = ({ file_name, kept, full_list }: ListedImport) =>
  full_list
    ? `${file_name} undone`
    : kept === 0
      ? `${file_name} undone: everyone it added was removed`
      : `${file_name} undone: ${counted(kept, 'person has', 'people have')} come in since and stay`

/** Says once that an import is done, on any screen that saw it under way. */
function useSayWhenDone(imports: ListedImport[] | undefined) {
  const statuses = useRef(new Map<string, ListedImport['status']>())
  useEffect(() => {
    for (const one of imports ?? []) {
      const before = statuses.current.get(one.id)
      // A small file is done before anybody sees it begin.
      if ((before === 'importing' || before === 'checked') && one.status === 'done') {
        toast(
          one.full_list
            ? `${one.file_name} applied`
            : `Successfully added ${counted(one.taken, 'employee')}`,
        )
      }
      if (before === 'undoing' && one.status === 'undone') toast(`${one.file_name} undone`)
      statuses.current.set(one.id, one.status)
    }
  }, [imports])
}
