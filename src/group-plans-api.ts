import { apiOf } from '#api.ts'
import { group_plans } from '#funds/group-plans.contract.ts'

export const group_plans_api = apiOf({ group_plans }).group_plans
