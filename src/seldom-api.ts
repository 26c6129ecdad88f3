import { apiOf } from '#api.ts'
import { seldom } from '#seldom.ts'

export const seldom_api = apiOf(seldom)
