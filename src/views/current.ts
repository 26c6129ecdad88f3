// The view that the address names, and whether its filters are still those it was saved with.
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { useRead } from '#ui/ask.ts'
import { addressOfFilters, views_api } from '#api/views-api.ts'
import { page_filters, knownFilters, type Filters, type ViewPage } from './views.contract.ts'

export function useViews(page: ViewPage) {
  const [search] = useSearchParams()
  const all = useRead(views_api.list, {}, { quiet: true })
  const views = useMemo(() => all?.filter((view) => view.page === page), [all, page])
  const filters = useMemo(() => filtersIn(page, search), [page, search])
  const open = views?.find(({ id }) => id === search.get('view'))
  const differs = open && (open.lost.length > 0 || !same(filters, open.filters))
  return { views, open, filters, differs: Boolean(differs) }
}

/** A page's filters in an address; those that the page doesn't know count for nothing here, either. */
function filtersIn(page: ViewPage, search: URLSearchParams): Filters {
  const names = Object.keys(page_filters[page])
  const filters = names.flatMap((name) => {
    const value = search.get(name)?.trim()
    return value ? [[name, value] as const] : []
  })
  return knownFilters(page, Object.fromEntries(filters)).known
}

const same = (one: Filters, other: Filters) => addressOfFilters(one) === addressOfFilters(other)
