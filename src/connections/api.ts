import { apiOf } from '#api.ts'
import { connecting } from './contracts.ts'

export const connections_api = apiOf(connecting)
