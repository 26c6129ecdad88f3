// Saved views, as whoever keeps them sees and changes them.
import { besideFields } from '#lib/field-problems.server.ts'
import { rows, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { Problem } from '#problems.ts'
import { knownFilters, SavedView, type views } from './views.contract.ts'

const about_name = { view_exists: 'name' } as const

export const viewsHandlers: Handlers<typeof views> = {
  list: ({ tx }) => seenViews(tx),

  save: async ({ tx, input: { page, name, filters } }) => {
    const [made] = await besideFields(
      about_name,
      tx<{ id: string }[]>`select save_view(${page}, ${name}, ${tx.json(filters)}) as id`,
    )
    return seenView(tx, made?.id)
  },

  change: async ({ tx, input: { id, version, ...change } }) => {
    await besideFields(about_name, tx`select change_view(${id}, ${version}, ${tx.json(change)})`)
    return seenView(tx, id)
  },

  remove: async ({ tx, input: { id } }) => {
    await tx`select remove_view(${id})`
    return { id }
  },
}

/** Things that are gone, and filters that the page no longer knows, are left out of a view. */
async function seenViews(tx: Tx): Promise<SavedView[]> {
  const saved_views = await rows(SavedView, tx`select v.* from seen_views() v`)
  return saved_views.map((view) => {
    const { known, unknown } = knownFilters(view.page, view.filters)
    const kept_filters = Object.entries(known).filter(([name]) => !view.lost.includes(name))
    return { ...view, filters: Object.fromEntries(kept_filters), lost: [...view.lost, ...unknown] }
  })
}

async function seenView(tx: Tx, id: string | undefined): Promise<SavedView> {
  const view = (await seenViews(tx)).find((one) => one.id === id)
  if (!view) throw new Problem('not_found')
  return view
}
