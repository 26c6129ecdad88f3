// People of one's company by any part of their name or address: for fields in which one is picked.
import { z } from 'zod'
import { rows, type SqlPart, type Tx } from './db.server.ts'
import { patternOf, searchWords } from './keyset.server.ts'

const NamedPerson = z.object({ id: z.uuid(), name: z.string(), note: z.string().nullable() })

export const peopleNamed = (
  tx: Tx,
  company_id: string | null,
  search: string | undefined,
  account_states: readonly string[],
  which: SqlPart = tx``,
) =>
  rows(
    NamedPerson,
    tx`select id, full_name as name, email as note from profiles p
      where company_id = ${company_id} and account_state = any (${[...account_states]}::text[])
        and without_accents(full_name || ' ' || email)
          like all (${searchWords(search).map(patternOf)}) ${which}
      order by sort_name, id limit 20`,
  )
