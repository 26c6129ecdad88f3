import { apiOf } from '#api/api.ts'
import { lazy } from '#api/lazy.contracts.ts'

export const lazy_api = apiOf(lazy)
