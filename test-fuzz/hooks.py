"""Checks of error codes, which the configuration cannot express: it compares statuses only."""

import os
import re

import schemathesis

# The connection whose token all requests for data send, and the operations after which it is refused.
CONNECTION = os.environ["CONNECTION"]
ENDING = {
    "DELETE /connections/{id}",
    "DELETE /connections/{id}/permanent",
    "PUT /connections/{id}/active",
    "POST /connections/{id}/embed/disconnect",
}
# Ids and names in addresses that Schemathesis does not create, and the addresses that they are sent to outside of sequences
# of operations.
EXISTING = {"clientId": "CLIENT", "endCustomerId": "END_CUSTOMER", "table": "RAW_TABLE", "id": "CONNECTION"}
OF_EXISTING = re.compile(r"/log-retention|/end-customers/|/raw/|/connections/\{id\}/(field-mappings|custom-streams|source-tables)")
# Tools are executed on the platform of the user's role.
EXECUTE = "POST /mcp/tools/{tool}/execute"
EXAMPLE_PLATFORM = "tryton"
# They delete what all others need.
DELETING = {"DELETE /end-customers/{endCustomerId}"}
# The end customer of the user whose token requests send. Other requests than reads get another one.
OWN_CUSTOMER = os.environ["OWN_CUSTOMER"]
# Its errors are those of JSON-RPC, which the protocol defines.
MESSAGES = "POST /mcp"
NO_ONES = "0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b"
# Operations of the console, which need a session and the header of its own pages. One ends the session.
OF_CONSOLE = re.compile(r" /console/")
CONSOLE_COOKIE = os.environ.get("CONSOLE_COOKIE")
CONSOLE_OPERATOR = os.environ.get("CONSOLE_OPERATOR")
ENDING_SESSION = {"DELETE /console/session"}
# Seconds that a request for changes may wait.
ALLOWED_WAITS = {str(seconds) for seconds in range(31)}

# Codes with status 400 for parameters whose schema allows any string, since their names and values differ by entity.
NAMES_OF_AN_ENTITY = {
    "SERVICE_INVALID_EXPAND",
    "SERVICE_INVALID_FIELDS",
    "SERVICE_INVALID_FILTER",
    "SERVICE_INVALID_SORT",
    "SERVICE_INVALID_CURSOR",
    "SERVICE_INVALID_QUERY",
}
# A link of a dry run, whose response has no id, leads to an address with `None` in it.
NO_ID = "SERVICE_INVALID_ID"
# `page` and `cursor` are mutually exclusive; JSON Schema has no condition between two parameters.
EXCLUDED = "page and cursor are mutually exclusive"
# Places whose values depend on what no schema of the body can express. The wording of a refusal does not matter.
DEPENDENT_PLACES = (
    # A day exists; the pattern allows 31 days in every month, and the year 0000.
    "query/modified_after",
    # For a pattern with a maximum length, Schemathesis also sends the header `0`, which the pattern excludes.
    "header/if-match",
    # Positions are opaque.
    "query/after",
    # Data mappings can have pairs of one client of the application.
    "query/clientId",
    # A token lists each entity once, with fields of the entity.
    "body/access",
    # The settings forms of a connection exist.
    "body/forms",
    # The kind of a person is that of its record.
    "body/kind",
    # The fields of an upload are sent before the file.
    "body/attachment",
    # The values of the settings forms of a connection have the fields of these forms.
    "body/values",
    # The settings of a connection depend on its platform; `/platforms` returns their schemas.
    "body/settings",
    "body/platform",
    "body/platforms",
    "body/connectionId",
    "body/connectionIds",
    # The names of custom fields are those of the connected system, which capabilities list.
    "body/customFields",
    # A redirect URI has no fragment and none of the parameters that are added to it, and its host is a name.
    "body/uri",
    # Pages are embedded by the origins of the redirect URIs of the client.
    "body/origin",
    # An application exists.
    "body/applicationId",
    # The parts of a settings form depend on each other: required fields are among its properties, limits fit the type of a
    # field.
    "body/schema",
    # Webhooks are sent to https addresses; the operator can allow others.
    "body/url",
    # A mapping names tables, columns, words and actions of the connected system, and each stream once.
    "body/stream",
    "body/streams",
    "body/fields",
    "body/parts",
    "body/table",
    # Masked fields are fields of an entity.
    "body/maskedFields",
    # The operator of a condition determines what it is compared with; rules name roles of the end customer.
    "body/rules",
    # A tool exists.
    "body/tool",
    # The prefix of the tools of a server is derived from its name.
    "body/name",
    # A request to the connected system has a method and a path, or a statement and parameters, as its platform allows.
    "body/method",
    "body/path",
    "body/query",
    "body/headers",
    "body/body",
    "body/statement",
    "body/parameters",
)
# The records of a batch have the fields of a body.
ITEM_OF_BATCH = re.compile(r"^body/items/\d+/")
# The custom fields of lines have the names of the connected system as well.
CUSTOM_FIELD_OF_LINE = re.compile(r"body/\w+/\d+/customFields[/:]")
# The document type in the body determines which fields it may have.
FIELD_OF_ANOTHER_TYPE = re.compile(r"body/[\w/]+: Records with \w+ .* do not have this field\. Leave it out")
# Lines are identified by their numbers.
REPEATED_LINE = re.compile(r"body/\w+/\d+/line: ")
# A number identifies a line only if the record has it; a new line needs more.
NEW_LINE = re.compile(r'body/\w+/\d+/\w+: "\w+" is missing\. The record has no line ')
# Parameters of a form are sent once, even those that are ignored (RFC 6749, section 3.2); the schema allows any value for
# them, also a list.
REPEATED = re.compile(r'body/.*: ["\'].*["\'] is repeated\. Send it once', re.DOTALL)
# A replay is of a delivery, of a period, or of changes after a cursor.
NO_SELECTION = re.compile(r"body: Send a ")
DEPENDENT_MESSAGES = (NO_SELECTION, CUSTOM_FIELD_OF_LINE, FIELD_OF_ANOTHER_TYPE, REPEATED_LINE, NEW_LINE, REPEATED)
# Schemathesis sends NUL bytes in the items of a list that must be unique, despite `allow-x00 = false`.
NUL = "NUL bytes are not allowed"
# An unknown grant type has an error of its own in RFC 6749, so its schema allows any string.
NO_GRANT_TYPE = {"unsupported_grant_type", "SERVICE_INVALID_GRANT"}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Uses existing ids, keeps the connection of the run, and does not wait for changes.

    What would end the connection is sent to an id that does not exist.
    """
    use_existing(case)
    sign_in_to_console(case)
    if case.operation.label == EXECUTE and isinstance(case.body, dict) and case.body.get("platform") == EXAMPLE_PLATFORM:
        case.body["platform"] = "sandbox"
    if str((case.query or {}).get("wait")) in ALLOWED_WAITS:
        case.query["wait"] = 0
    if case.method.upper() != "GET" and (case.path_parameters or {}).get("endCustomerId") == OWN_CUSTOMER:
        case.path_parameters["endCustomerId"] = NO_ONES
    if case.operation.label in ENDING and str(case.path_parameters.get("id")).lower() == CONNECTION:
        case.path_parameters["id"] = NO_ONES


def sign_in_to_console(case):
    """Sends requests of the console as its pages do, and valid ones with the cookie of a session, which they do not end."""
    label = case.operation.label
    if not OF_CONSOLE.search(label):
        return
    case.headers["Sec-Fetch-Site"] = "same-origin"
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if CONSOLE_COOKIE and label not in ENDING_SESSION:
        case.headers["Cookie"] = CONSOLE_COOKIE
    parameters = case.path_parameters or {}
    if "sessionId" in parameters:
        parameters["sessionId"] = NO_ONES
    if case.method.upper() != "GET" and str(parameters.get("operatorId")).lower() == CONSOLE_OPERATOR:
        parameters["operatorId"] = NO_ONES


def use_existing(case):
    """Replaces generated ids and names in the address of valid input by existing ones, where OF_EXISTING matches."""
    label = case.operation.label
    if case.meta is None or not case.meta.generation.mode.is_positive or case.meta.phase.name.value == "stateful":
        return
    if label in DELETING or not OF_EXISTING.search(label):
        return
    for name in EXISTING.keys() & (case.path_parameters or {}).keys():
        case.path_parameters[name] = os.environ[EXISTING[name]]


@schemathesis.check
def valid_input_gets_400_only_for_names(ctx, response, case):
    """Fails when valid input returns 400 for another reason than the name of a field."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 400:
        return
    if is_page(response) or case.operation.label == MESSAGES:
        return
    code, message = code_and_message(response)
    if code == NO_ID and {"None", None} & set((case.path_parameters or {}).values()):
        return
    message = ITEM_OF_BATCH.sub("body/", message)
    if code in NAMES_OF_AN_ENTITY | NO_GRANT_TYPE or EXCLUDED in message or is_dependent(message):
        return
    if NUL in message or any(each.match(message) for each in DEPENDENT_MESSAGES):
        return
    raise AssertionError(f"Valid input returns 400 {code}: {message}")


def is_dependent(message):
    """Whether the first place that a message names, such as `body/settings/host`, is one of DEPENDENT_PLACES."""
    return any(message.startswith((f"{place}: ", f"{place}/")) for place in DEPENDENT_PLACES)


def is_page(response):
    """Whether a browser is shown the error, which then has no code: the client of an authorization may not exist."""
    return response.headers.get("content-type", [""])[0].startswith("text/html")


def code_and_message(response):
    """Code and message of an error, in the format of the data API or of RFC 6749."""
    error = response.json()
    return (error["code"], error["message"]) if "code" in error else (error["error"], error["error_description"])


@schemathesis.check
def errors_are_described(ctx, response, case):
    """Fails when the code of an error is not among those that the operation names for its status."""
    if response.status_code < 400 or case.method.upper() == "HEAD" or is_page(response):
        return
    if case.operation.label == MESSAGES and "jsonrpc" in response.json():
        return
    responses = case.operation.definition.raw["responses"]
    described = responses.get(str(response.status_code), responses["default"])
    if "$ref" in described:
        name = described["$ref"].split("/")[-1]
        described = case.operation.schema.raw_schema["components"]["responses"][name]
    if "x-codes" not in described:
        return  # The errors of RFC 6749 are values of an enum, which the check of the schema compares.
    codes = described["x-codes"]
    code = response.json()["code"]
    if code not in codes.get(str(response.status_code), []):
        raise AssertionError(f"{response.status_code} {code} is not described: {codes}")
