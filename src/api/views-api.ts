import { apiOf } from '#api/api.ts'
import { paths } from '#paths.ts'
import { views, type Filters, type SavedView } from '#views/views.contract.ts'

export const views_api = apiOf({ views }).views

/** Keys in one order, so that the same filters are the same text. */
export const addressOfFilters = (filters: Filters): string => {
  const params = new URLSearchParams(filters)
  params.sort()
  return params.toString()
}

/** The address at which a view opens, with its own id in it. */
export const pathOfView = ({ id, page, filters }: Pick<SavedView, 'id' | 'page' | 'filters'>) =>
  `${paths[page]}?${addressOfFilters({ ...filters, view: id })}`
