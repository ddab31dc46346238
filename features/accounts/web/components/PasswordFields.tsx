import { fieldProblems, TextField } from '@headwater/web-kit'
import { newPassword } from '../../contract/index.ts'

/** The values of the two password fields. */
export interface NewPassword {
  /** The new password. */
  password: string
  /** The repeated password. */
  again: string
}

/** Two empty fields. */
export const emptyPassword: NewPassword = { password: '', again: '' }

/** Returns the first problem of a new password; undefined if it is valid. */
export function passwordProblem({
  password,
  again,
}: NewPassword): { field: keyof NewPassword; message: string } | undefined {
  const [problem] = fieldProblems(newPassword, password)
  if (problem !== undefined) return { field: 'password', message: problem.message }
  if (password !== again) return { field: 'again', message: 'The passwords do not match.' }
  return undefined
}

/** Properties of {@link PasswordFields}. */
export interface PasswordFieldsProps {
  /** The typed values. */
  value: NewPassword
  /** Called with the new values. */
  onChange: (value: NewPassword) => void
  /** Error messages by field. */
  errors: Partial<Record<string, string>>
  /** Whether the first field gets the focus; default false. */
  autoFocus?: boolean
}

/** The two fields for a new password. */
export function PasswordFields({ value, onChange, errors, autoFocus }: PasswordFieldsProps) {
  return (
    <>
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        autoFocus={autoFocus}
        hint="10 to 200 characters."
        value={value.password}
        error={errors.password}
        onChange={(password) => onChange({ ...value, password })}
      />
      <TextField
        label="Repeat new password"
        type="password"
        autoComplete="new-password"
        required
        value={value.again}
        error={errors.again}
        onChange={(again) => onChange({ ...value, again })}
      />
    </>
  )
}
