import { apiOf } from '#api/api.ts'
import { health_checks } from '#health-checks/health-checks.contract.ts'

export const health_checks_api = apiOf({ health_checks }).health_checks
