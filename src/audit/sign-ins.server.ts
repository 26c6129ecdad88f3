// The sign-ins of the provider's staff, or of a company's admins: from the auth service's own log.
import { byte_order_mark, csv_entries_max, csvLine } from '#lib/csv.ts'
import { rows, type Tx } from '#lib/db.server.ts'
import { pageOf, readCursor } from '#lib/cursor.ts'
import { withCursor } from '#lib/keyset.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { Problem } from '#problems.ts'
import { SignIn, type audit } from './audit.contract.ts'
import { signInWords } from './words.ts'

type SignIns = Pick<Handlers<typeof audit>, 'sign_ins' | 'export_sign_ins'>

export const signInHandlers: SignIns = {
  sign_ins: async ({ tx, input: { after, limit } }) => {
    const found = await list(tx, after, limit + 1)
    const { page, next } = pageOf(found, limit)
    return { sign_ins: page, next }
  },

  export_sign_ins: async ({ tx }) => {
    const found = await list(tx, undefined, csv_entries_max + 1)
    if (found.length > csv_entries_max) throw new Problem('too_many_sign_ins')
    const cells = found.map(({ at, full_name, email, act, address }) =>
      csvLine([at, full_name, email, signInWords[act], address]),
    )
    const body = [byte_order_mark + csvLine(sign_in_columns), ...cells].join('')
    return { name: 'sign-ins.csv', type: 'text/csv; charset=utf-8', body }
  },
}

const sign_in_columns = ['at', 'who', 'email', 'act', 'from address']

const list = (tx: Tx, after: string | undefined, most: number) =>
  rows(
    withCursor(SignIn),
    tx`select *, json_build_array(id::text) as row_cursor
      from sign_ins(${readCursor(after, 1)?.[0] ?? null}::text::bigint, ${most})`,
  )
