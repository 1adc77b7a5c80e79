"""Checks of error codes, which the configuration cannot express: it compares statuses only."""

import schemathesis

# Codes with status 400 for parameters whose schema allows any string, since their names and values differ by entity.
NAMES_OF_AN_ENTITY = {
    "SERVICE_INVALID_EXPAND",
    "SERVICE_INVALID_FIELDS",
    "SERVICE_INVALID_FILTER",
    "SERVICE_INVALID_SORT",
    "SERVICE_INVALID_CURSOR",
}
# A link of a dry run, whose response has no id, leads to an address with `None` in it.
NO_ID = "SERVICE_INVALID_ID"
# A page and a cursor exclude each other; JSON Schema has no condition between two parameters.
EXCLUDED = "page and cursor exclude each other"
# The fields of an upload are sent before the file, as the document describes; a schema cannot express the order of
# parts.
ORDER_OF_PARTS = "body/attachment: Send this part before the file"
# The kind of a person is that of its record, which a schema of the body cannot express.
KIND_OF_RECORD = "body/kind: At this address it is"


@schemathesis.check
def valid_input_gets_400_only_for_names(ctx, response, case):
    """Fails when valid input returns 400 for another reason than the name of a field."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 400:
        return
    error = response.json()
    if error["code"] == NO_ID and {"None", None} & set((case.path_parameters or {}).values()):
        return
    if error["code"] in NAMES_OF_AN_ENTITY or EXCLUDED in error["message"]:
        return
    if error["message"].startswith((KIND_OF_RECORD, ORDER_OF_PARTS)):
        return
    raise AssertionError(f"Valid input returns 400 {error['code']}: {error['message']}")


@schemathesis.check
def errors_are_described(ctx, response, case):
    """Fails when the code of an error is not among those that the operation names for its status."""
    if response.status_code < 400 or case.method.upper() == "HEAD":
        return
    described = case.operation.definition.raw["responses"]["default"]
    if "$ref" in described:
        name = described["$ref"].split("/")[-1]
        described = case.operation.schema.raw_schema["components"]["responses"][name]
    codes = described["x-codes"]
    code = response.json()["code"]
    if code not in codes.get(str(response.status_code), []):
        raise AssertionError(f"{response.status_code} {code} is not described: {codes}")
