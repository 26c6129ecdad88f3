// What pages ask that few open, or few at first: no part of everybody's first load.
import { absences } from '#absences/absences.contract.ts'
import { audit } from '#audit/audit.contract.ts'
import { books } from '#books/books.contract.ts'
import { imports } from '#employees/imports.contract.ts'
import { many } from '#employees/many/many.contract.ts'
import { leads } from '#leads/leads.contract.ts'
import { privacy } from '#privacy/privacy.contract.ts'
import { reports } from '#reports/reports.contract.ts'

export const seldom = { imports, many, absences, books, leads, privacy, audit, reports }
