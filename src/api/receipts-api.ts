import { apiOf } from '#api/api.ts'
import { receipts } from '#receipts/receipts.contract.ts'

export const receipts_api = apiOf({ receipts }).receipts
