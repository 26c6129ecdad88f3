import { z } from 'zod'
import { problems } from '#problems.ts'
import { useWrite } from '#ui/ask.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { counted } from '#ui/figures.ts'
import { FormButtons } from '#ui/Form.tsx'
import { OwnPassword, ProvenForm } from '#auth/ProvenForm.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextAreaField, TextField } from '#ui/TextField.tsx'
import { SwitchField } from '#ui/ToggleField.tsx'
import { connections_api } from '../api.ts'
import { DepartmentRule, type Provider } from './sso.contract.ts'
import { whileOn } from './while-on.ts'

type Rule = z.infer<typeof DepartmentRule>

const linesOf = (text = '') =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** `groups, g-sales, Sales` */
function ruleOf(line: string) {
  const [attribute, value, ...department] = line.split(',').map((part) => part.trim())
  return DepartmentRule.safeParse({ attribute, value, department: department.join(', ') })
}

/** One on each line. */
const Rules = z
  .string()
  .max(20_000)
  .optional()
  .transform((text, context): Rule[] => {
    const parsed = linesOf(text).map(ruleOf)
    const wrong = parsed.findIndex(({ success }) => !success)
    if (wrong >= 0) context.addIssue(`Line ${wrong + 1}: write attribute, value, department`)
    return parsed.flatMap(({ data }) => data ?? [])
  })

const RuleFields = z
  .object({
    required: z.boolean(),
    break_glass_id: z.string().optional(),
    second_step_by: z.string().max(2000).optional(),
    departments: Rules,
  })
  .refine(({ required, break_glass_id }) => !required || break_glass_id, {
    path: ['break_glass_id'],
    error: problems.no_such_break_glass[1],
    when: () => true,
  })

const textOf = (rules: Rule[]) =>
  rules
    .map(({ attribute, value, department }) => `${attribute}, ${value}, ${department}`)
    .join('\n')

function hintOf({ people_outside: people }: Provider) {
  const outside = `${counted(people, 'person', 'people')} whose address is at none of your domains`
  const who = people > 0 ? `one owner and ${outside}` : 'one owner'
  return `Passwords no longer work, except for ${who}.`
}

type Props = { provider: Provider; onClose: () => void }

export function ProviderRules({ provider, onClose }: Props) {
  const change = useWrite(connections_api.sso.change_rules, 'Rules changed')
  const owners = Object.fromEntries(provider.owners.map((one) => [one.id, one.full_name]))
  return (
    <Dialog open wide onClose={onClose} title="Rules of sign-in through your provider">
      <ProvenForm
        name="provider-rules"
        shape={RuleFields}
        defaults={{
          required: provider.required,
          break_glass_id: provider.break_glass_id ?? '',
          second_step_by: provider.second_step_by.join(', '),
          departments: textOf(provider.department_rules),
        }}
        onSubmit={async ({ required, break_glass_id, second_step_by, departments }) => {
          await change.submit({
            required,
            break_glass_id: break_glass_id || null,
            second_step_by: linesOf(second_step_by?.replaceAll(',', '\n')),
            department_rules: departments,
          })
          onClose()
        }}
      >
        <SwitchField
          name="required"
          label="Require it"
          hint={hintOf(provider)}
          unless={provider.refusals.require}
        />
        <SelectField
          name="break_glass_id"
          label="Whose password still works"
          hint="In case your provider is down."
          options={owners}
          placeholder="Choose an owner"
        />
        <TextField
          name="second_step_by"
          label="Counts as a second step"
          hint={
            'Values of acr, amr or the SAML context that prove one, with commas between them.' +
            whileOn(' To add one', provider)
          }
          autoComplete="off"
        />
        <TextAreaField
          name="departments"
          label="Departments"
          hint="One rule on each line, such as groups, sales-team, Sales. The first match counts."
        />
        <OwnPassword />
        <FormButtons onCancel={onClose} waiting="Saving...">
          Save Changes
        </FormButtons>
      </ProvenForm>
    </Dialog>
  )
}
