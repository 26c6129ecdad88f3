import { apiOf } from '#api.ts'
import { adjustments } from '#funds/adjustments.contract.ts'

export const adjustments_api = apiOf({ adjustments }).adjustments
