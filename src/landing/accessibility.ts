// The tests named in the accessibility statement. The suite tests by these very figures.

/** The rules that axe holds every page to. */
export const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** How wide the screens are that every page is looked at on, in CSS pixels. */
export const widths = [360, 768, 1440]

/** 1280 by 1024 pixels, enlarged four times: what WCAG 1.4.10 asks a page to reflow into. */
export const enlarged_screen = { percent: 400, width: 320, height: 256 }

/** The main ways, as each role goes them: enlarged, in forced colours, and as a screen reader is told them. */
export const ways = {
  visitor: ['/', '/auth/login', '/accessibility'],
  employee: ['/dashboard/employee', '/dashboard/my-claims', '/dashboard/settings'],
  company_admin: ['/dashboard/company-admin', '/dashboard/claims', '/dashboard/funds'],
  super_admin: ['/dashboard/super-admin', '/dashboard/companies', '/dashboard/reports'],
}

export const tested_on = '22 November 2026'

/** `by` is null for a gap that will stay: a receipt is the paper that was sent. */
type KnownGap = { what: string; instead: string; by: string | null }
export const gaps: readonly KnownGap[] = [
  {
    what: 'No person who uses a screen reader every day has tested it: its reading order and names are tested by machine.',
    instead: 'Tell us what reads badly, and it is treated as a fault.',
    by: '31 March 2027',
  },
  {
    what: 'Reports as PDF are not tagged: a screen reader finds no headings or tables in them.',
    instead: 'The same report as a spreadsheet has the same figures in real tables.',
    by: '30 June 2027',
  },
  {
    what: 'Receipts are pictures of paper. What was read from them is text; the rest of the picture is not.',
    instead: 'What you typed into the claim is shown next to each receipt.',
    by: null,
  },
  {
    what: 'The texts are in English only.',
    instead: 'The language is declared, so that a browser can translate the page.',
    by: '31 December 2027',
  },
]
