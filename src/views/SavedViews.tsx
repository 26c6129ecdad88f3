import { clsx } from 'clsx'
import { BookmarkPlus, Ellipsis, Pencil, Share2, Trash2, Users } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useWrite } from '#ui/ask.ts'
import { Button, IconButton } from '#ui/Button.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Menu, MenuItem, MenuLine } from '#ui/Menu.tsx'
import { pathOfView, views_api } from '#api/views-api.ts'
import { useViews } from './current.ts'
import { NameView } from './NameView.tsx'
import type { SavedView, ViewPage } from './views.contract.ts'
import { lostOf } from './words.ts'

/** The views of a page, each one press away; what is filtered now can be kept as another. */
export function SavedViews({ page }: { page: ViewPage }) {
  const { views, open, filters, differs } = useViews(page)
  const [naming, setNaming] = useState(false)
  const navigate = useNavigate()
  const has_filters = Object.keys(filters).length > 0
  if (!views || (views.length === 0 && !has_filters)) return null
  return (
    <div className="flex flex-col gap-2 border-b border-line px-4 py-2.5 sm:px-5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
        {views.length > 0 && <Chips views={views} open={open} />}
        {open?.is_own && <OfOpen view={open} filters={filters} differs={differs} />}
        {has_filters && (!open || differs) && (
          <Button size="small" variant="quiet" icon={BookmarkPlus} onClick={() => setNaming(true)}>
            {open ? 'Save as new view' : 'Save view'}
          </Button>
        )}
      </div>
      <output className={clsx('text-ui text-soft', !open?.lost.length && 'sr-only')}>
        {open && open.lost.length > 0 && lostOf(open)}
      </output>
      <NameView
        open={naming}
        page={page}
        filters={filters}
        onClose={() => setNaming(false)}
        onDone={(view) => void navigate(pathOfView(view))}
      />
    </div>
  )
}

type ChipsProps = { views: readonly SavedView[]; open: SavedView | undefined }

function Chips({ views, open }: ChipsProps) {
  const navigate = useNavigate()
  return (
    <fieldset className="max-w-full min-w-0">
      <legend className="sr-only">Saved views</legend>
      <div className="relative -mx-1 flex gap-1.5 overflow-x-auto px-1 py-0.5">
        {views.map((view) => (
          <button
            key={view.id}
            type="button"
            aria-pressed={view.id === open?.id}
            title={view.is_own ? view.name : `${view.name}, shared by ${view.person_name}`}
            onClick={() => void navigate(pathOfView(view))}
            className={clsx(
              'inline-flex h-8 max-w-64 shrink-0 items-center gap-1.5 rounded-full border px-3',
              'border-line text-ui font-medium text-soft hover:bg-sunken hover:text-ink',
              'aria-pressed:border-transparent aria-pressed:bg-primary-wash',
              'aria-pressed:text-primary-ink',
            )}
          >
            <span className="truncate">{view.name}</span>
            {view.is_own ? (
              view.shared && (
                <>
                  <Users className="size-3.5 shrink-0" aria-hidden />
                  <span className="sr-only"> (shared)</span>
                </>
              )
            ) : (
              <By name={view.person_name} />
            )}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

const By = ({ name }: { name: string }) => (
  <span className="max-w-28 truncate font-normal opacity-80">
    <span className="sr-only"> shared </span>by {name}
  </span>
)

type OfOpenProps = { view: SavedView; filters: SavedView['filters']; differs: boolean }

function OfOpen({ view, filters, differs }: OfOpenProps) {
  const [doing, setDoing] = useState<'rename' | 'remove'>()
  const save = useWrite(views_api.change, 'View saved')
  const share = useWrite(views_api.change, ({ shared }) =>
    shared ? 'View shared with everybody who may open this page' : 'View no longer shared',
  )
  const { id, page, name, shared, version } = view
  const as_is = { id, page, name, version, shared, filters: view.filters }
  return (
    <>
      {differs && (
        <Button size="small" loading={save.pending} onClick={() => save({ ...as_is, filters })}>
          Save Changes
        </Button>
      )}
      <Menu
        label={`View ${name}`}
        align="start"
        trigger={<IconButton size="small" label={`More for view ${name}`} icon={Ellipsis} />}
      >
        <MenuItem icon={Pencil} onSelect={() => setDoing('rename')}>
          Rename
        </MenuItem>
        <MenuItem icon={Share2} onSelect={() => share({ ...as_is, shared: !shared })}>
          {shared ? 'Stop sharing' : 'Share with colleagues'}
        </MenuItem>
        <MenuLine />
        <MenuItem danger icon={Trash2} onSelect={() => setDoing('remove')}>
          Remove
        </MenuItem>
      </Menu>
      <NameView
        open={doing === 'rename'}
        view={view}
        page={page}
        filters={view.filters}
        onClose={() => setDoing(undefined)}
      />
      <RemoveView open={doing === 'remove'} view={view} onClose={() => setDoing(undefined)} />
    </>
  )
}

type RemoveProps = { open: boolean; view: SavedView; onClose: () => void }

/** The list keeps its filters, without the view. */
function RemoveView({ open, view: { id, name, shared }, onClose }: RemoveProps) {
  const [, setSearch] = useSearchParams()
  const remove = useWrite(views_api.remove, 'View removed')
  const leave = (search: URLSearchParams) => {
    search.delete('view')
    return search
  }
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Remove the view “${name}”?`}
      description={
        shared
          ? 'It is gone for everybody you shared it with, too. The list itself stays as it is.'
          : 'The list itself stays as it is.'
      }
      does="Remove view"
      act={() => remove.submit({ id })}
      onDone={() => setSearch(leave, { replace: true })}
    />
  )
}
