import { apiOf } from '#api/api.ts'
import { groups } from '#employees/groups/groups.contract.ts'

export const groups_api = apiOf({ groups }).groups
