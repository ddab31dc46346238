/** Script of a new Python task. It runs without parameters and shows how a script reads inputs and stores outputs. */
const pythonStarter = `from headwater import read_input, write_output

# Add inputs and outputs in the table Parameters below.
name = read_input("Name") or "world"
greeting = f"Hello, {name}!"
print(greeting)

# To pass the value to later tasks, add the output Greeting and remove the # of this line:
# write_output("Greeting", greeting)
`

/** Returns the script of a new task of a kind; undefined if it is empty. */
export function starterScript(definitionName: string): string | undefined {
  return definitionName === 'python-runner' ? pythonStarter : undefined
}
