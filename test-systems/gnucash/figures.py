"""Prints the figures that GnuCash itself computes for a book, as JSON. Amounts are fractions: 60966/100.

usage: figures.py URL
"""
import json
import sys

from gnucash import GncNumeric, Query, Session, SessionOpenMode
from gnucash.gnucash_business import Invoice
from gnucash.gnucash_core_c import GNC_OWNER_CUSTOMER, gncInvoiceGetOwnerType


def fraction(number):
    numeric = number if isinstance(number, GncNumeric) else GncNumeric(instance=number)
    return f'{numeric.num()}/{numeric.denom()}'


def invoices(book):
    query = Query()
    query.search_for('gncInvoice')
    query.set_book(book)
    try:
        return [Invoice(instance=instance) for instance in query.run()]
    finally:
        query.destroy()


def line(entry, is_sale, is_credit):
    return {
        'description': entry.GetDescription(),
        'quantity': fraction(entry.GetDocQuantity(is_credit)),
        'value': fraction(entry.GetDocValue(True, is_sale, is_credit)),
    }


def document(invoice):
    is_posted = invoice.IsPosted()
    is_sale = gncInvoiceGetOwnerType(invoice.instance) == GNC_OWNER_CUSTOMER
    return {
        'isPosted': is_posted,
        'isPaid': invoice.IsPaid(),
        'total': fraction(invoice.GetTotal()),
        'subtotal': fraction(invoice.GetTotalSubtotal()),
        'tax': fraction(invoice.GetTotalTax()),
        'open': fraction(invoice.GetPostedLot().get_balance()) if is_posted else None,
        'date': invoice.GetDatePosted().strftime('%Y-%m-%d') if is_posted else None,
        'dueDate': invoice.GetDateDue().strftime('%Y-%m-%d') if is_posted else None,
        'lines': [line(entry, is_sale, invoice.GetIsCreditNote()) for entry in invoice.GetEntries()],
    }


def figures(book):
    accounts = book.get_root_account().get_descendants()
    return {
        'accounts': {
            account.GetCode(): {'name': account.get_full_name(), 'balance': fraction(account.GetBalance())}
            for account in accounts
        },
        'documents': {invoice.GetID(): document(invoice) for invoice in invoices(book)},
    }


session = Session(sys.argv[1], SessionOpenMode.SESSION_READ_ONLY)
try:
    print(json.dumps(figures(session.book)))
finally:
    session.end()
    session.destroy()
