/** Script of a new Python task. It runs without parameters and demonstrates how to read inputs and store outputs. */
const pythonStarter = `from headwater import read_input, write_output

# Add inputs and outputs in the table Parameters below.
name = read_input("Name") or "world"
greeting = f"Hello, {name}!"
print(greeting)

# To pass the value to later tasks, add the output Greeting and remove the # of this line:
# write_output("Greeting", greeting)
`

/** Returns the starter script for a kind of task; undefined if there is none. */
export function starterScript(definitionName: string): string | undefined {
  return definitionName === 'python-runner' ? pythonStarter : undefined
}
