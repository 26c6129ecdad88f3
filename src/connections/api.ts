import { apiOf } from '#api/api.ts'
import { connection_contracts } from './contracts.ts'

export const connections_api = apiOf(connection_contracts)
