// Views of a page that somebody keeps: its filters, search and order, under a name.
import { z } from 'zod'
import { Category } from '#categories.ts'
import { EmployeeFilter, EmployeeState } from '#employees/employees.contract.ts'
import { ReviewFilter } from '#claims/review/review.contract.ts'
import { ClaimStatus } from '#claims/words.contract.ts'
import { del, get, post, put, SearchText } from '#lib/contract.ts'
import { OneLine } from '#lib/one-line.ts'

export type ViewPage = z.infer<typeof ViewPage>
export const ViewPage = z.enum(['claims', 'employees'])

const KeptSearch = SearchText.min(1)

/** The filters of each page, as its address has them. */
export const page_filters: Readonly<Record<ViewPage, Readonly<Record<string, z.ZodType<string>>>>> =
  {
    claims: {
      search: KeptSearch,
      status: z.union([ClaimStatus, z.literal('all')]),
      category: Category,
      overdue: z.literal('yes'),
      person: z.uuid(),
      sort: ReviewFilter.shape.sort.unwrap(),
    },
    employees: {
      search: KeptSearch,
      status: EmployeeState,
      department: z.string().min(1).max(100),
      group: z.uuid(),
      sort: EmployeeFilter.shape.sort.unwrap(),
    },
  }

export type Filters = z.infer<typeof Filters>
export const Filters = z.record(z.string().max(20), z.string().max(100))

/** Filters that the page knows and takes; the rest by name. */
export function knownFilters(page: ViewPage, filters: Filters) {
  const shapes = page_filters[page]
  const known: Filters = {}
  const unknown: string[] = []
  for (const [name, value] of Object.entries(filters)) {
    const fits = Object.hasOwn(shapes, name) && shapes[name]?.safeParse(value).success
    if (fits) known[name] = value
    else unknown.push(name)
  }
  return { known, unknown }
}

export const ViewName = OneLine.min(1, 'Give it a name').max(60, 'At most 60 characters')

const shape = { page: ViewPage, name: ViewName, filters: Filters }
const onlyKnown = ({ page, filters }: { page: ViewPage; filters: Filters }) =>
  knownFilters(page, filters).unknown.length === 0
const unknown_filter = { path: ['filters'], error: 'This page has no such filter' }

export type SavedView = z.infer<typeof SavedView>
export const SavedView = z.object({
  id: z.uuid(),
  page: ViewPage,
  name: z.string(),
  filters: Filters,
  /** Names of filters that are left out: what they name is no longer there. */
  lost: z.string().array(),
  shared: z.boolean(),
  is_own: z.boolean(),
  person_name: z.string(),
  version: z.int(),
})

const ViewId = z.object({ id: z.uuid() })

export const views = {
  /** One's own first, then those that others share: of the pages that one may open. */
  list: get('/views', z.object({}), SavedView.array()),
  /** Saves a view; a person has at most twenty for a page. */
  save: post('/views', z.object(shape).refine(onlyKnown, unknown_filter), SavedView),
  /** `version` is the one that was read. */
  change: put(
    '/views/:id',
    z
      .object({ ...shape, id: z.uuid(), version: z.int(), shared: z.boolean() })
      .refine(onlyKnown, unknown_filter),
    SavedView,
  ),
  remove: del('/views/:id', ViewId, ViewId),
}
