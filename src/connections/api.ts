import { apiOf } from '#api/api.ts'
import { connecting } from './contracts.ts'

export const connections_api = apiOf(connecting)
