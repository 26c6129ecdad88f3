// A receipt as its row says it.
import { row, type Tx } from '#lib/db.server.ts'
import { Receipt } from './receipts.contract.ts'

export const receiptColumns = (tx: Tx) => tx`
  id, claim_id, file_name, media_type, size_bytes, pages, width, height, read_state,
  read_amount_cents, read_currency, read_on, read_provider, read_marks, restricted,
  blacked_times, blacked_reads, created_at,
  json_build_object('black_out', blacking_refusal(id)) as refusals`

export const find = (tx: Tx, id: string) =>
  row(
    Receipt,
    tx`select ${receiptColumns(tx)} from receipts where company_id = actor_company() and id = ${id}`,
  )
