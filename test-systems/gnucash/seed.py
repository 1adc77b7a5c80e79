"""Fills a new book with the accounts, documents and payments of a small workshop through GnuCash's own interface.

usage: seed.py URL, such as sqlite3:///folder/book.gnucash or mysql://user:password@127.0.0.1:3306/database
"""
import datetime
import sys

from gnucash import (
    ACCT_TYPE_ASSET, ACCT_TYPE_BANK, ACCT_TYPE_CASH, ACCT_TYPE_CREDIT, ACCT_TYPE_EQUITY, ACCT_TYPE_EXPENSE,
    ACCT_TYPE_INCOME, ACCT_TYPE_LIABILITY, ACCT_TYPE_PAYABLE, ACCT_TYPE_RECEIVABLE, ACCT_TYPE_STOCK, Account,
    GncCommodity, GncNumeric, GncPrice, Session, SessionOpenMode, Split, Transaction,
)
from gnucash.gnucash_business import Bill, BillTerm, Customer, Employee, Entry, Invoice, Job, TaxTable, TaxTableEntry, Vendor
from gnucash.gnucash_core_c import (
    GNC_AMT_TYPE_PERCENT, GNC_AMT_TYPE_VALUE, GNC_DISC_PRETAX, GNC_TERM_TYPE_DAYS, GNC_TERM_TYPE_PROXIMO,
    gncEntrySetInvDiscountHow, gncEntrySetInvDiscountType,
)


def day(month, number):
    return datetime.date(2026, month, number)


def midnight(date):
    return datetime.datetime(date.year, date.month, date.day)


def cents(amount):
    return GncNumeric(amount, 100)


class Workshop:
    """Creates the content of a book. Amounts are in cents."""

    def __init__(self, book):
        self.book = book
        self.root = book.get_root_account()
        commodities = book.get_table()
        self.usd = commodities.lookup('CURRENCY', 'USD')
        self.eur = commodities.lookup('CURRENCY', 'EUR')
        self.stock = GncCommodity(book, 'Acme Corp', 'NYSE', 'ACME', '', 10000)
        commodities.insert(self.stock)
        self.accounts = {}

    def account(self, parent, code, name, kind, currency=None):
        made = Account(self.book)
        (self.accounts[parent] if parent else self.root).append_child(made)
        made.SetName(name)
        made.SetCode(code)
        made.SetType(kind)
        made.SetCommodity(currency or self.usd)
        made.SetDescription(f'{name} of the workshop')
        self.accounts[code] = made
        return made

    def chart(self):
        self.account('', '1000', 'Assets', ACCT_TYPE_ASSET).SetPlaceholder(True)
        self.account('1000', '1100', 'Bank', ACCT_TYPE_BANK)
        self.account('1000', '1110', 'Bank EUR', ACCT_TYPE_BANK, self.eur)
        self.account('1000', '1120', 'Old bank', ACCT_TYPE_BANK).SetHidden(True)
        self.account('1000', '1130', 'Cash', ACCT_TYPE_CASH)
        self.account('1000', '1200', 'Receivables', ACCT_TYPE_RECEIVABLE)
        self.account('1000', '1210', 'Receivables EUR', ACCT_TYPE_RECEIVABLE, self.eur)
        self.account('1000', '1400', 'ACME shares', ACCT_TYPE_STOCK, self.stock)
        self.account('', '2000', 'Liabilities', ACCT_TYPE_LIABILITY).SetPlaceholder(True)
        self.account('2000', '2100', 'Payables', ACCT_TYPE_PAYABLE)
        self.account('2000', '2200', 'Sales tax', ACCT_TYPE_LIABILITY)
        self.account('2000', '2210', 'Levy', ACCT_TYPE_LIABILITY, self.eur)
        self.account('2000', '2220', 'Sales tax EUR', ACCT_TYPE_LIABILITY, self.eur)
        self.account('2000', '2300', 'Card', ACCT_TYPE_CREDIT)
        self.account('', '3000', 'Equity', ACCT_TYPE_EQUITY)
        self.account('', '4000', 'Income', ACCT_TYPE_INCOME)
        self.account('4000', '4100', 'Sales', ACCT_TYPE_INCOME)
        self.account('4000', '4110', 'Sales EUR', ACCT_TYPE_INCOME, self.eur)
        self.account('', '5000', 'Expenses', ACCT_TYPE_EXPENSE)
        self.account('5000', '5100', 'Materials', ACCT_TYPE_EXPENSE)
        self.account('5000', '5200', 'Maintenance', ACCT_TYPE_EXPENSE)

    def entry(self, number, date, text, legs):
        """A leg: code of the account, value in USD, amount in the currency of the account, memo."""
        made = Transaction(self.book)
        made.BeginEdit()
        made.SetCurrency(self.usd)
        made.SetDate(date.day, date.month, date.year)
        made.SetDescription(text)
        made.SetNum(number)
        for code, value, amount, memo in legs:
            leg = Split(self.book)
            leg.SetParent(made)
            leg.SetAccount(self.accounts[code])
            leg.SetValue(value)
            leg.SetAmount(amount)
            leg.SetMemo(memo)
        made.CommitEdit()
        return made

    def simple(self, number, date, text, debit, credit, amount, memo=''):
        legs = [(debit, cents(amount), cents(amount), memo), (credit, cents(-amount), cents(-amount), '')]
        return self.entry(number, date, text, legs)

    def journal(self):
        self.simple('J-1', day(1, 1), 'Opening balance', '1100', '3000', 10000000)
        for number in range(1, 21):
            amount = 1000 * number + 33
            date = day(1 + number % 11, 1 + number)
            self.simple(f'J-{number + 1}', date, f'Spare parts {number}', '5200', '1100', amount, f'part {number}')
        euros = [('1110', cents(10875), cents(10000), 'to euros'), ('1100', cents(-10875), cents(-10875), '')]
        self.entry('J-30', day(2, 3), 'Exchange', euros)
        shares = [('1400', cents(150000), GncNumeric(125000, 10000), ''), ('1100', cents(-150000), cents(-150000), '')]
        self.entry('J-31', day(2, 4), 'Shares', shares)
        self.simple('J-32', day(2, 5), 'By mistake', '5100', '1130', 777).Void('entered twice')
        checked = self.simple('', day(2, 6), 'Without number', '1130', '1100', 5000)
        split = checked.GetSplit(1)
        split.SetReconcile('y')
        split.SetDateReconciledSecs(datetime.datetime(2026, 2, 28, 10, 59))

    def price(self, commodity, date, value):
        made = GncPrice(self.book)
        made.set_commodity(commodity)
        made.set_currency(self.usd)
        made.set_time64(datetime.datetime(2026, date.month, date.day, 10, 59))
        made.set_value(value)
        made.set_source_string('user:price')
        made.set_typestr('last')
        self.book.get_price_db().add_price(made)

    def terms(self):
        def term(name, kind, due, days, percent, cutoff=0):
            made = BillTerm(self.book)
            made.SetName(name)
            made.SetDescription(f'{name}, printed')
            made.SetType(kind)
            made.SetDueDays(due)
            made.SetDiscountDays(days)
            made.SetDiscount(percent)
            made.SetCutoff(cutoff)
            return made
        self.net = term('Net 30', GNC_TERM_TYPE_DAYS, 30, 10, GncNumeric(25, 10))
        self.proximo = term('15th', GNC_TERM_TYPE_PROXIMO, 15, 5, GncNumeric(0, 1), 20)

    def taxes(self):
        def part(code, amount, kind=GNC_AMT_TYPE_PERCENT):
            return TaxTableEntry(self.accounts[code], kind == GNC_AMT_TYPE_PERCENT, amount)
        self.tax = TaxTable(self.book, 'Sales tax', part('2200', GncNumeric(825, 100)))
        self.vat = TaxTable(self.book, 'VAT and levy', part('2220', GncNumeric(19, 1)))
        self.vat.AddEntry(part('2210', GncNumeric(15, 10)))
        self.deposit = TaxTable(self.book, 'Deposit', part('2200', GncNumeric(25, 100), GNC_AMT_TYPE_VALUE))

    def address(self, address, name, lines, phone='', email=''):
        address.SetName(name)
        for line, text in zip((address.SetAddr1, address.SetAddr2, address.SetAddr3, address.SetAddr4), lines):
            line(text)
        address.SetPhone(phone)
        address.SetEmail(email)

    def parties(self):
        self.customers = []
        for number, currency in enumerate((self.usd, self.usd, self.eur), 1):
            made = Customer(self.book, f'{number:06d}', currency, f'Customer {number} LLC')
            street = (f'{number} Oak St', 'Suite 4', 'Austin TX 73301')
            self.address(made.GetAddr(), f'Buyer {number}', street, f'+1 555 01{number:02d}', f'c{number}@example.com')
            made.SetTerms(self.net)
            made.SetNotes('Pays late' if number == 1 else '')
            self.customers.append(made)
        self.address(self.customers[0].GetShipAddr(), 'Ramp 3', ('3 Dock Rd',))
        self.customers[0].SetTaxTable(self.tax)
        self.customers[0].SetTaxTableOverride(True)
        self.customers[0].SetCredit(cents(500050))
        self.vendors = []
        for number in range(1, 4):
            made = Vendor(self.book, f'{number:06d}', self.usd, f'Vendor {number} GmbH')
            self.address(made.GetAddr(), f'Seller {number}', (f'Hafenstr. {number}', '10115 Berlin'), f'+49 30 {number}')
            self.vendors.append(made)
        self.vendors[0].SetTerms(self.proximo)
        self.vendors[2].SetActive(False)
        self.employee = Employee(self.book, '000001', self.usd, 'erika')
        self.employee.SetUsername('erika')
        self.address(self.employee.GetAddr(), 'Erika Employee', ('1 Main St', 'Austin'), '', 'erika@example.com')
        self.employee.SetRate(cents(3500))
        self.job = Job(self.book, '000001', self.customers[0], 'Pump overhaul')
        self.done = Job(self.book, '000002', self.customers[1], 'Old press')
        self.done.SetActive(False)

    def sale(self, number, owner, date, lines, receivable='1200', currency=None, credit=False, reference=''):
        """A line: text, quantity, price, tax table or None, whether it is included, percent or amount of the discount."""
        made = Invoice(self.book, number, currency or self.usd, owner)
        made.SetDateOpened(midnight(date))
        made.SetTerms(self.net)
        made.SetBillingID(reference)
        made.SetNotes(f'Notes on {number}')
        made.SetIsCreditNote(credit)
        for text, quantity, price, tax, included, discount in lines:
            line = Entry(self.book)
            line.SetDateEntered(midnight(date))
            line.SetDate(midnight(date))
            line.SetDescription(text)
            line.SetAction('Material')
            line.SetNotes(f'About {text}')
            line.SetDocQuantity(quantity, credit)
            line.SetInvAccount(self.accounts['4100' if receivable == '1200' else '4110'])
            line.SetInvPrice(price)
            line.SetInvTaxable(tax is not None)
            if tax:
                line.SetInvTaxTable(tax)
            line.SetInvTaxIncluded(included)
            kind, amount = discount or (GNC_AMT_TYPE_PERCENT, GncNumeric(0, 1))
            gncEntrySetInvDiscountType(line.instance, kind)
            gncEntrySetInvDiscountHow(line.instance, GNC_DISC_PRETAX)
            line.SetInvDiscount(amount)
            made.AddEntry(line)
        return made

    def purchase(self, number, owner, date, lines, credit=False, reference=''):
        """A line: text, quantity, price, tax table or None."""
        made = Bill(self.book, number, self.usd, owner)
        made.SetDateOpened(midnight(date))
        made.SetTerms(self.net)
        made.SetBillingID(reference)
        made.SetIsCreditNote(credit)
        for text, quantity, price, tax in lines:
            line = Entry(self.book)
            line.SetDateEntered(midnight(date))
            line.SetDate(midnight(date))
            line.SetDescription(text)
            line.SetDocQuantity(quantity, credit)
            line.SetBillAccount(self.accounts['5100'])
            line.SetBillPrice(price)
            line.SetBillTaxable(tax is not None)
            if tax:
                line.SetBillTaxTable(tax)
            made.AddEntry(line)
        return made

    def post(self, document, code, date, due):
        document.PostToAccount(self.accounts[code], date, due, f'Posted {document.GetID()}', True, False)
        return document

    def pay(self, document, code, amount, date, number):
        document.ApplyPayment(None, self.accounts[code], cents(amount), GncNumeric(1), date, f'Payment {number}', number)

    def sales(self):
        one, two, three = self.customers
        whole = GncNumeric
        percent = (GNC_AMT_TYPE_PERCENT, GncNumeric(10, 1))
        off = (GNC_AMT_TYPE_VALUE, cents(150))
        lines = [
            ('Pump', whole(2), cents(29900), self.tax, False, percent),
            ('Bolt', whole(100), cents(25), self.tax, False, None),
        ]
        invoice = self.sale('INV-1', self.job, day(10, 1), lines, reference='PO 4711')
        self.post(invoice, '1200', day(10, 1), day(10, 31))
        self.pay(invoice, '1100', 30000, day(10, 15), 'P-1')
        lines = [
            ('Hours', GncNumeric(25, 10), GncNumeric(33333, 1000), None, False, None),
            ('Oil', whole(1), GncNumeric(1005, 1000), None, False, off),
        ]
        invoice = self.post(self.sale('INV-2', two, day(10, 2), lines), '1200', day(10, 2), day(11, 1))
        self.pay(invoice, '1100', 8284, day(10, 20), 'P-2')  # a cent too much
        self.sale('INV-3', one, day(11, 20), [('Draft', whole(1), cents(100), self.tax, False, None)])
        lines = [('Pumpe', whole(3), cents(11900), self.vat, True, None)]
        self.post(self.sale('INV-4', three, day(11, 3), lines, '1210', self.eur), '1210', day(11, 3), day(12, 3))
        lines = [('Pump returned', whole(1), cents(29900), self.tax, False, None)]
        self.post(self.sale('CN-1', two, day(11, 5), lines, credit=True), '1200', day(11, 5), day(12, 5))
        self.sale('CN-2', two, day(11, 6), [('Draft', whole(1), cents(100), None, False, None)], credit=True)

    def purchases(self):
        one, two, _ = self.vendors
        whole = GncNumeric
        lines = [('Steel plate', whole(20), cents(1250), self.tax), ('Bolt', whole(1000), cents(10), None)]
        bill = self.post(self.purchase('BILL-1', one, day(10, 3), lines, reference='SUP-77'), '2100', day(10, 3), day(11, 15))
        self.pay(bill, '1100', -37063, day(11, 3), 'P-3')
        lines = [('Copper', whole(4), cents(999), None)]
        self.post(self.purchase('BILL-2', two, day(10, 4), lines), '2100', day(10, 4), day(11, 3))
        lines = [('Copper returned', whole(1), cents(999), None)]
        self.post(self.purchase('VCN-1', two, day(10, 5), lines, credit=True), '2100', day(10, 5), day(11, 4))
        self.purchase('BILL-3', two, day(11, 7), [('Draft', whole(1), cents(100), None)])
        lines = [('Train', whole(1), cents(4250), None)]
        self.post(self.purchase('EXP-1', self.employee, day(10, 6), lines), '2100', day(10, 6), day(10, 20))

    def prepayment(self):
        """A payment that does not pay a document."""
        customer, receivables, cash = self.customers[1], self.accounts['1200'], self.accounts['1130']
        date = datetime.datetime(2026, 11, 8, 10, 59)
        customer.ApplyPaymentSecs(
            None, None, receivables, cash, cents(12345), GncNumeric(1), date, 'in advance', 'P-4', False)

    def fill(self):
        self.chart()
        self.price(self.eur, day(11, 20), GncNumeric(10875, 10000))
        self.price(self.eur, day(11, 21), GncNumeric(108123457, 100000000))
        self.price(self.stock, day(11, 20), GncNumeric(12000, 100))
        self.terms()
        self.taxes()
        self.parties()
        self.journal()
        self.sales()
        self.purchases()
        self.prepayment()


def main(url):
    # A session that creates the tables cannot write rows.
    for mode in (SessionOpenMode.SESSION_NEW_STORE, SessionOpenMode.SESSION_NORMAL_OPEN):
        session = Session(url, mode)
        try:
            if mode == SessionOpenMode.SESSION_NORMAL_OPEN:
                Workshop(session.book).fill()
                session.save()
        finally:
            session.end()
            session.destroy()


main(sys.argv[1])
