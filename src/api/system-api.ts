import { apiOf } from '#api/api.ts'
import { system } from '#system/system.contract.ts'

export const system_api = apiOf({ system }).system
