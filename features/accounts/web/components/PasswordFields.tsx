import { TextField } from '@headwater/web-kit'
import { newPassword } from '../../contract/index.ts'

/** A new password, typed twice. */
export interface NewPassword {
  password: string
  again: string
}

export const emptyPassword: NewPassword = { password: '', again: '' }

/** What is wrong with a new password; undefined when it can be sent. */
export function passwordProblem({
  password,
  again,
}: NewPassword): { field: keyof NewPassword; message: string } | undefined {
  const checked = newPassword.safeParse(password)
  if (!checked.success)
    return { field: 'password', message: checked.error.issues[0]?.message ?? 'Choose another password.' }
  if (password !== again) return { field: 'again', message: 'The passwords do not match.' }
  return undefined
}

export interface PasswordFieldsProps {
  value: NewPassword
  onChange: (value: NewPassword) => void
  /** Messages by field. */
  errors: Partial<Record<string, string>>
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
