import { Receipt } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { api } from '#api/api.ts'
import { Category, categoryNames } from '#categories.ts'
import { paths, pathTo } from '#paths.ts'
import { useCursorList } from '#ui/cursor-list.ts'
import { DateText } from '#ui/DateText.tsx'
import { Empty, NoMatch } from '#ui/Empty.tsx'
import { count } from '#ui/figures.ts'
import { FilterMenu } from '#ui/FilterMenu.tsx'
import { LongTable } from '#ui/LongTable.tsx'
import { useMedia } from '#ui/media.ts'
import type { TableProps } from '#ui/Table.tsx'
import { useUrlState } from '#ui/url-state.ts'
import type { Claim } from './claims.contract.ts'
import { CategoryLabel, ClaimAmount, ClaimStatusBadge } from './ClaimBadges.tsx'
import { providerAndWhom, stageForEmployee, stateNames } from './labels.ts'
import { PaidWhen } from './PaidWhen.tsx'
import { ReceiptDownload } from '#claims/receipts/ReceiptDownload.tsx'
import { ClaimState } from './words.contract.ts'

const page_rows = 20

type Props = { total: number | undefined; submit: ReactNode }

export function MyClaimsList({ total, submit }: Props) {
  const [status] = useUrlState('status')
  const [category] = useUrlState('category')
  const filters = {
    status: ClaimState.safeParse(status).data,
    category: Category.safeParse(category).data,
  }
  const { pages, more, failed } = useCursorList(api.claims.mine, { ...filters, limit: page_rows })
  const rows = useMemo(
    () => pages?.flatMap(({ claims }) => claims).map((claim) => ({ claim, id: String(claim.id) })),
    [pages],
  )
  return (
    <>
      <div className="flex flex-wrap gap-3 border-b border-line p-4 sm:px-5">
        <FilterMenu label="Status" name="status" options={stateNames} />
        <FilterMenu label="Category" name="category" options={categoryNames} />
      </div>
      <LongTable
        label="My claims"
        rows={rows}
        more={more}
        failed={failed}
        total={filters.status || filters.category ? null : total}
        to={({ id }) => pathTo(paths.my_claim, id)}
        empty={<NoClaims none={total === 0} submit={submit} />}
        columns={claim_columns}
      />
      {rows && rows.length > 0 && (
        <p aria-live="polite" className="figures border-t border-line px-5 py-3 text-ui text-soft">
          {count(rows.length)}
          {filters.status || filters.category ? ' shown' : ` of ${count(total ?? rows.length)}`}
        </p>
      )}
    </>
  )
}

type ClaimRow = { id: string; claim: Claim }

const claim_columns: TableProps<ClaimRow>['columns'] = {
  Claim: {
    phone: 'start',
    width: 'sm:w-[32%] xl:w-[24%]',
    cell: ({ claim }: ClaimRow) => (
      <span className="min-w-0">
        <span className="line-clamp-1">
          <span className="figures font-normal text-faint">#{claim.id}</span> {claim.type_name}
        </span>
        <OnPhone is={false}>
          <span dir="auto" className="line-clamp-1 text-left text-ui font-normal text-soft">
            {providerAndWhom(claim)}
          </span>
        </OnPhone>
      </span>
    ),
  },
  Category: {
    phone: 'across',
    roomy: true,
    width: 'sm:w-28',
    cell: ({ claim }: ClaimRow) => (
      <>
        <CategoryLabel category={claim.category} />
        <OnPhone is>
          <span dir="auto" className="truncate">
            {`\u00a0· ${providerAndWhom(claim)}`}
          </span>
        </OnPhone>
      </>
    ),
  },
  Status: {
    phone: 'below_end',
    cell: ({ claim }: ClaimRow) => <StatusCell claim={claim} />,
  },
  Submitted: {
    phone: 'below',
    width: 'sm:w-28',
    cell: ({ claim }: ClaimRow) => (
      <span className="max-sm:line-clamp-1 max-sm:text-xs max-sm:tracking-tight">
        <DateText value={claim.submitted_at} />
        <OnPhone is>
          <Where claim={claim} before=" · " />
        </OnPhone>
      </span>
    ),
  },
  Processed: {
    roomy: true,
    width: 'sm:w-28',
    cell: ({ claim }: ClaimRow) =>
      claim.reviewed_at ? (
        <DateText value={claim.reviewed_at} />
      ) : (
        <span className="text-faint">–</span>
      ),
  },
  Amount: {
    end: true,
    phone: 'end',
    width: 'sm:w-28',
    cell: ({ claim }: ClaimRow) => <ClaimAmount claim={claim} />,
  },
  Receipt: {
    end: true,
    width: 'sm:w-32',
    cell: ({ claim }: ClaimRow) => (
      <ReceiptDownload claim_id={claim.id} receipts={claim.receipts} />
    ),
  },
}

const StatusCell = ({ claim }: { claim: Claim }) => (
  <span className="min-w-0">
    <ClaimStatusBadge claim={claim} />
    <OnPhone is={false}>
      <span className="mt-0.5 block truncate text-ui text-soft">
        <Where claim={claim} />
      </span>
    </OnPhone>
  </span>
)

/** Draws its children in one of two places: if both were drawn, a search in the page would find them twice. */
const OnPhone = ({ is, children }: { is: boolean; children: ReactNode }) =>
  useMedia('(width < 40rem)') === is && children

/** The next thing that the claim waits for, or how it is paid, beside its state and in the same words on every page. */
function Where({ claim, before = '' }: { claim: Claim; before?: string }) {
  if (claim.stage) return before + stageForEmployee[claim.stage]
  if (!claim.payment || claim.payment === 'reversed') return null
  return (
    <>
      {before}
      <PaidWhen claim={claim} />
    </>
  )
}

const NoClaims = ({ none, submit }: { none: boolean; submit: ReactNode }) =>
  none ? (
    <Empty icon={<Receipt aria-hidden />} title="No claims yet" action={submit}>
      Submit a receipt, and see where each claim stands and who has it.
    </Empty>
  ) : (
    <NoMatch title="No matching claims" filters={['status', 'category']} />
  )
