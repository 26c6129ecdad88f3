import { lazy_api } from '#api/lazy-api.ts'
import { useRead } from '#ui/ask.ts'
import { DateText } from '#ui/DateText.tsx'
import { Pager } from '#ui/Pager.tsx'
import { Table } from '#ui/Table.tsx'
import { usePageKey } from '#ui/url-state.ts'
import { signInWords } from './words.ts'

const page_rows = 50

/** Sign-ins of the provider's staff, or of the company's admins. */
export function SignIns() {
  const { after } = usePageKey()
  const found = useRead(lazy_api.audit.sign_ins, { after, limit: page_rows }, { keep: true })
  return (
    <>
      <Table
        label="Sign-ins"
        rows={found?.sign_ins.map((row) => ({ ...row, id: String(row.id) }))}
        skeletons={8}
        empty="No sign-ins yet"
        columns={{
          Who: ({ full_name, email }) => (
            <span className="block min-w-0">
              <span className="block">{full_name || email}</span>
              {full_name && <span className="block text-ui text-soft">{email}</span>}
            </span>
          ),
          What: ({ act }) => signInWords[act],
          'IP address': {
            wide_only: true,
            cell: ({ address }) => <span className="text-soft">{address ?? '–'}</span>,
          },
          When: { end: true, cell: ({ at }) => <DateText value={at} show="moment" /> },
        }}
      />
      <Pager next={found?.next} />
    </>
  )
}
