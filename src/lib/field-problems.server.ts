import { isProblemCode, Problem, type ProblemCode } from '#problems.ts'

/** The field of each code or constraint, with another code if that one says it better. */
type FieldByConstraint = Record<string, string | readonly [field: string, code: ProblemCode]>

/** Puts the database's refusal of a field beside that field. */
export async function besideFields<T>(
  fields: FieldByConstraint,
  writing: PromiseLike<T>,
): Promise<T> {
  try {
    return await writing
  } catch (error) {
    const { constraint, message } = error as { constraint?: string; message?: string }
    const name = constraint ?? message ?? ''
    const about = Object.hasOwn(fields, name) ? fields[name] : undefined
    const [field, code] = typeof about === 'string' ? [about, name] : (about ?? [])
    if (!field || !isProblemCode(code)) throw error
    throw Problem.at(field, code)
  }
}
