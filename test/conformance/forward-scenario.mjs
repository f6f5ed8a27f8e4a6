// The client that the conformance suite starts for each scenario: it has the test drive Gatehouse, and ends when that is done.
const [, , driver, url] = process.argv;
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env;
const answer = await fetch(driver, {
  method: 'POST',
  body: JSON.stringify({ scenario, url, context: JSON.parse(context) }),
});
process.stdout.write(await answer.text());
process.exitCode = answer.ok ? 0 : 1;
