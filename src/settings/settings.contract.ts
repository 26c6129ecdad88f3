import { z } from 'zod'
import { Name } from '#lib/one-line.ts'
import { Department, Phone } from '#employees/employees.contract.ts'
import { del, get, patch, put, Refusal } from '#lib/contract.ts'

export type Profile = z.infer<typeof Profile>
export const Profile = z.object({
  full_name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  department: z.string().nullable(),
  version: z.int(),
  refusals: z.object({ department: Refusal }),
})

/** `version` is the one that was read: HR may have changed the same person meanwhile. */
export const ProfileChange = z.object({
  version: z.int(),
  full_name: Name,
  phone: Phone.nullish(),
  department: Department.nullish(),
})

export type CompanySettings = z.infer<typeof CompanySettings>
export const CompanySettings = z.object({
  name: z.string(),
  domain: z.string().nullable(),
  currency: z.string(),
  /** The allocation to the three categories in the current plan year. */
  allocated_cents: z.int(),
  employees: z.int(),
  admins_two_step: z.enum(['optional', 'required']),
  /** Reviewers decide by the checks, without seeing receipts. */
  receipts_restricted: z.boolean(),
})
const CompanyRules = CompanySettings.pick({
  admins_two_step: true,
  receipts_restricted: true,
}).partial()

export type Switches = z.infer<typeof Switches>
export const Switches = z.object({
  email_notifications: z.boolean(),
  claim_updates: z.boolean(),
  fund_alerts: z.boolean(),
  health_tips: z.boolean(),
})

export type SessionLine = z.infer<typeof SessionLine>
export const SessionLine = z.object({
  id: z.uuid(),
  /** Such as 'Firefox on Windows'; nothing where the program did not say what it is. */
  device: z.string().nullable(),
  address: z.string().nullable(),
  created_at: z.iso.datetime(),
  used_at: z.iso.datetime(),
  here: z.boolean(),
})

/** The place whose public holidays stop the clock of the company's reviews. */
export type CompanyCalendar = z.infer<typeof CompanyCalendar>
export const CompanyCalendar = z.object({
  time_zone: z.string(),
  country: z.string().nullable(),
  region: z.string(),
  /** Whether its days are read from the list already. */
  is_known: z.boolean(),
  holidays: z.array(z.object({ on_day: z.iso.date(), name: z.string() })),
})

const Country = z.string().regex(/^[A-Z]{2}$/, 'Choose a country')
const Region = z.string().max(10, 'Choose a region')

const None = z.object({})
const EndedSessions = z.object({ ended: z.int() })

export const settings = {
  profile: get('/settings/profile', None, Profile),
  change_profile: put('/settings/profile', ProfileChange, Profile),
  company: get('/settings/company', None, CompanySettings),
  change_company: put('/settings/company', CompanyRules, CompanySettings),
  calendar: get('/settings/calendar', None, CompanyCalendar),
  change_calendar: put(
    '/settings/calendar',
    z.object({ country: Country, region: Region }),
    CompanyCalendar,
  ),
  /** The regions of a country; of none: the countries. */
  places: get(
    '/settings/places',
    z.object({ country: Country.optional() }),
    z.array(z.object({ code: z.string(), name: z.string() })),
  ),
  switches: get('/settings/switches', None, Switches),
  change_switches: patch('/settings/switches', Switches.partial(), Switches),
  sessions: get('/settings/sessions', None, SessionLine.array()),
  end_session: del('/settings/sessions/:id', z.object({ id: z.uuid() }), EndedSessions),
  end_other_sessions: del('/settings/sessions', None, EndedSessions),
}
