import { apiOf } from '#api.ts'
import { payment_blocks } from '#payouts/blocks.contract.ts'

export const blocks_api = apiOf({ payment_blocks }).payment_blocks
