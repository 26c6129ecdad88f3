import { apiOf } from '#api.ts'
import { limits } from '#claims/policies/limits.contract.ts'

export const limits_api = apiOf({ limits }).limits
