// The meanings of a company's own codes, in words, and the shape of each.
export type BookItem = keyof typeof itemNames
export const itemNames = {
  wage_prevention: 'Prevention',
  wage_treatment: 'Treatment',
  wage_solidarity: 'Solidarity',
  wage_correction: 'Corrections',
  expense_prevention: 'Cost of Prevention',
  expense_treatment: 'Cost of Treatment',
  expense_solidarity: 'Cost of Solidarity',
  write_off: 'Written off',
  payable: 'Owed to employees',
  bank: 'Bank',
  payroll: 'Payroll clearing',
  transit: 'Contributions in transit',
  datev_consultant: 'Consultant number',
  datev_client: 'Client number',
  datev_digits: 'Digits of an account',
  datev_year: 'Month in which the financial year begins',
}

type Format = readonly [format: RegExp, unless: string]
const wage: Format = [/^[A-Za-z0-9]*$/, 'Use letters and digits only']
const account: Format = [
  /^([A-Za-z0-9][A-Za-z0-9./-]*)?$/,
  'Use letters, digits, points, slashes and hyphens, with a letter or digit first',
]
const datev: Partial<Record<BookItem, Format>> = {
  datev_consultant: [/^((?!1000$)[1-9]\d{3,6})?$/, 'Enter a number from 1001 to 9999999'],
  datev_client: [/^([1-9]\d{0,4})?$/, 'Enter a number from 1 to 99999'],
  datev_digits: [/^[4-8]?$/, 'Enter a number from 4 to 8'],
  datev_year: [/^([1-9]|1[0-2])?$/, 'Enter a number from 1 to 12'],
}

export const isItem = (name: string): name is BookItem => Object.hasOwn(itemNames, name)

/** The shape of its code; the table says the same (`book_code_invalid`). */
export const codeFormatOf = (item: BookItem): Format =>
  datev[item] ?? (item.startsWith('wage_') ? wage : account)
