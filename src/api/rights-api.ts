import { apiOf } from '#api/api.ts'
import { rights } from '#users/giving.contract.ts'

export const rights_api = apiOf({ rights }).rights
